#include "cli/views/team_views.hpp"

#include <array>

#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/table.hpp"
#include "cli/views/frozen_view.hpp"
#include "cli/views/spending_words.hpp"
#include "cli/views/task_views.hpp"

namespace andon::cli {
namespace {

/// The colours of a worker's light, in the order of `core::Light`.
constexpr std::array<std::string_view, 7> kLightColours{"37", "32", "33", "31", "90", "35", "90"};

std::string light_of(core::Worker const& worker) {
  return std::string{core::kLightNames[static_cast<std::size_t>(worker.state)]};
}

std::string task_of(std::optional<core::TaskId> const& task) {
  return task ? "#" + std::to_string(*task) : "";
}

std::string joined(std::vector<std::string> const& words) {
  std::string out;
  for (auto const& word : words) out.append(out.empty() ? "" : ", ").append(word);
  return out;
}

std::string cost_of(core::Run const& run) {
  auto const spent = core::spent_by(run);
  return core::cost_words(core::known_cost(spent), core::is_partly_unknown(spent));
}

std::string outcome_of(core::Run const& run) {
  if (run.outcome) return std::string{core::kOutcomeNames[static_cast<std::size_t>(*run.outcome)]};
  return std::string{core::kRunStateNames[static_cast<std::size_t>(run.state)]};
}

std::string lasted(core::Run const& run) { return run.ended ? span_of(*run.ended - run.started) : ""; }

/// Empty where nothing changed or nobody could look: no repository, or processes that were lost.
std::string files_of(core::Run const& run) {
  return run.files_changed > 0 ? std::to_string(run.files_changed) : "";
}

std::string landing_of(core::Run const& run) {
  bool const is_reverted = run.revert && run.revert->state == core::RevertState::reverted;
  if (is_reverted) return "reverted";
  return run.landing ? std::string{core::kLandingStateNames[static_cast<std::size_t>(run.landing->state)]}
                     : "";
}

std::string run_line(core::Run const& run) {
  std::string out = "#" + std::to_string(run.id) + " task:#" + std::to_string(run.task) + " " + run.worker +
                    " [" + outcome_of(run) + "] attempt:" + std::to_string(run.attempt) +
                    " started:" + minute_of(run.started);
  if (!files_of(run).empty()) out += " files:" + files_of(run);
  if (run.landing) out += " landing:" + landing_of(run);
  if (!run.reason.empty()) out += " " + run.reason;
  return out;
}

std::string budget_line(service::DayBudget const& budget, Screen const& screen) {
  bool const has_limit = budget.limit != core::Allowance{};
  auto const whose = budget.worker.empty() ? "board " + budget.board : "worker " + budget.worker;
  return one_line((has_limit ? "Budget of " : "Spent by ") + whose + " for " + core::to_text(budget.day) +
                  ": " + day_words(budget)) +
         (budget.reached.empty() ? "" : " " + screen.painted("spent", "31")) + "\n";
}

/// The reason why a worker picks nothing, if its light has a reason or an end.
std::string why_still(core::Worker const& worker) {
  if (worker.state == core::WorkerStatus::paused) return worker.paused_because;
  if (worker.state == core::WorkerStatus::limited && worker.limited_until)
    return (worker.overloaded ? "the service of its model is at capacity; again at " : "usage limit until ") +
           minute_of(*worker.limited_until);
  if (worker.state == core::WorkerStatus::limited)
    return "no account of it may be used; see andon accounts list";
  return worker.uses.empty() ? std::string{} : "uses " + worker.uses + " while " + worker.agent + " rests";
}

core::Duration whole_seconds(core::Duration time) { return std::chrono::ceil<std::chrono::seconds>(time); }

}  // namespace

std::string worker_list(service::Workers const& workers, Screen const& screen) {
  Table table({{"LIGHT", 9, 0},
               {"NAME", 0, 0},
               {"ROLE", 0, 0},
               {"AGENT", 0, 0},
               {"TASK", 0, 0},
               {"QUEUED", 0, 0},
               {"TITLE", 0, 40},
               {"WHY", 0, 60}});
  std::string lines;
  for (auto const& w : workers.items) {
    table.add({light_of(w), w.name, w.role, w.agent, task_of(w.task), std::to_string(w.queued), w.title,
               why_still(w)});
    auto const light = screen.painted("\u25cf", kLightColours[static_cast<std::size_t>(w.state)]);
    lines += light +
             one_line(" " + w.name + " " + light_of(w) + (w.task ? " " + task_of(w.task) : "") + " queued:" +
                      std::to_string(w.queued) + (why_still(w).empty() ? "" : " " + why_still(w))) +
             "\n";
  }
  return screen.is_compact() ? lines : screen.drawn(table);
}

std::string run_list(service::Runs const& runs, Screen const& screen) {
  Table table({{"RUN", 0, 0},
               {"TASK", 0, 0},
               {"WORKER", 0, 0},
               {"ATTEMPT", 0, 0},
               {"STATE", 0, 0},
               {"STARTED", 0, 0},
               {"LASTED", 0, 0},
               {"FILES", 0, 0},
               {"LANDING", 0, 0},
               {"COST", 0, 0},
               {"AGENT", 0, 0},
               {"MEMORY", 0, 0},
               {"CPU", 0, 0},
               {"REASON", 0, 48}});
  std::string lines;
  for (auto const& run : runs.items) {
    table.add({std::to_string(run.id), "#" + std::to_string(run.task), run.worker,
               std::to_string(run.attempt), outcome_of(run), minute_of(run.started), lasted(run),
               files_of(run), landing_of(run), cost_of(run), run.agent,
               run.peak_memory > 0 ? core::rounded({run.peak_memory}) : std::string{},
               run.cpu_time ? core::to_text(whole_seconds(*run.cpu_time)) : std::string{}, run.reason});
    lines += one_line(run_line(run)) + "\n";
  }
  auto const sum = runs.spent ? "Spent: " + spent_words(*runs.spent) + "\n" : std::string{};
  return (screen.is_compact() ? lines : screen.drawn(table)) + sum;
}

std::string dispatch_page(service::DispatchStatus const& status, Screen const& screen) {
  std::string out =
      "Dispatch is " + screen.painted(status.paused ? "paused" : "on", status.paused ? "33" : "32") + ": " +
      std::to_string(status.running) + (status.slots > 0 ? " of " + std::to_string(status.slots) : "") +
      " running, " + std::to_string(status.ready) + " ready, " +
      (status.runner ? "a runner is here" : "no runner") + "\n";
  if (status.frozen != service::Frozen{}) out += frozen_line(status.frozen, screen);
  if (!status.paused_boards.empty()) out += "Paused boards: " + one_line(joined(status.paused_boards)) + "\n";
  if (!status.paused_workers.empty())
    out += "Paused workers: " + one_line(joined(status.paused_workers)) + "\n";
  for (auto const& budget : status.budgets) out += budget_line(budget, screen);
  return out;
}

std::string token_list(service::Tokens const& tokens, Screen const& screen) {
  Table table({{"ID", 4, 0},
               {"KIND", 0, 0},
               {"NAME", 0, 0},
               {"LABEL", 0, 40},
               {"CREATED", 0, 0},
               {"EXPIRES", 0, 0},
               {"REVOKED", 0, 0}});
  auto const when = [](std::optional<core::Instant> const& at) {
    return at ? minute_of(*at) : std::string{};
  };
  for (auto const& t : tokens.items)
    table.add({std::to_string(t.id), std::string{reflect::TextForm<core::TokenKind>::write(t.kind)}, t.name,
               t.label, minute_of(t.created), when(t.expires), when(t.revoked)});
  return screen.drawn(table);
}

}  // namespace andon::cli
