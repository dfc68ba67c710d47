#include "cli/views/waiting_views.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/table.hpp"
#include "cli/views/task_views.hpp"

namespace andon::cli {

namespace {

struct RemedyRow {
  std::string_view remedy;
  std::string_view says;  ///< with the worker or account behind it where it ends in a blank
};
/// How the command line spells the remedies whose commands a reader may not know.
constexpr std::array kRemedies{
    RemedyRow{"thaw", "; andon thaw"},
    RemedyRow{"resume_dispatch", "; andon dispatch resume"},
    RemedyRow{"resume_worker", "; let it go on with: andon workers resume "},
    RemedyRow{"resume_account", "; use it sooner with: andon accounts resume "},
    RemedyRow{"retry_fault", "; when it is mended: andon faults retry "},
    RemedyRow{"start_server", "; start one with: andon serve"},
    RemedyRow{"raise_slots", "; allow more with: andon dispatch limit"},
    RemedyRow{"land", "; see: andon work list"},
    RemedyRow{"judge_landing", "; andon work land, or andon work reject with a --reason"},
};

std::string with_command(service::DispatchBlocker const& blocker) {
  auto const row = std::ranges::find(kRemedies, blocker.remedy, &RemedyRow::remedy);
  if (row == kRemedies.end()) return blocker.text;
  return blocker.text + std::string{row->says} + (row->says.ends_with(' ') ? blocker.about : "");
}

/// The title of the task, or the worker or account that an entry without a task is about.
std::string subject_of(service::AttentionEntry const& entry) {
  if (entry.id) return entry.title;
  if (!entry.account.empty()) return "account " + entry.account;
  if (!entry.machine.empty()) return "machine " + entry.machine;
  return entry.worker.empty() ? "" : "worker " + entry.worker;
}

}  // namespace

std::string why_page(service::DispatchBlockers const& why, Screen const& screen) {
  auto out = one_line((why.key.empty() ? "#" + std::to_string(why.id) : why.key) + " " + why.title + " [" +
                      why.status + "]") +
             "\n";
  if (why.running) out += one_line("Worker \"" + why.worker + "\" works on it.") + "\n";
  if (!why.running && why.hindrances.empty())
    return out + one_line("Nothing keeps it: worker \"" + why.worker + "\" takes it at the next look.") +
           "\n";
  for (auto const& blocker : why.hindrances)
    out += screen.painted("- ", "33") + one_line(with_command(blocker)) + "\n";
  return out;
}

std::string attention_list(service::AttentionList const& list, Screen const& screen) {
  Table table({{"KIND", 0, 0},
               {"BOARD", 0, 24},
               {"TASK", 0, 0},
               {"TITLE", 0, 40},
               {"SINCE", 0, 0},
               {"REASON", 0, 60}});
  std::string lines;
  for (auto const& entry : list.items) {
    auto const kind = std::string{core::to_text(entry.kind)};
    auto const key = entry.key.empty() && entry.id ? "#" + std::to_string(*entry.id) : entry.key;
    auto const since = entry.since ? minute_of(*entry.since) : "";
    auto const subject = subject_of(entry);
    table.add({kind, entry.board, key, subject, since, entry.text});
    lines += one_line("[" + kind + "] " + (key.empty() ? "" : key + " ") + subject +
                      (entry.board.empty() ? "" : " board:" + entry.board) +
                      (entry.text.empty() ? "" : " " + entry.text)) +
             "\n";
  }
  auto out = (screen.is_compact() ? lines : screen.drawn(table)) + (list.more ? "There are more.\n" : "");
  for (auto const id : list.orphans)
    out += one_line("Nobody makes the next step of #" + std::to_string(id) +
                    ", which is a defect of Andon; move it to another column.") +
           "\n";
  return out;
}

std::string copy_list(service::SuspectedCopies const& copies, Screen const& screen) {
  Table table({{"TASK", 0, 0}, {"TITLE", 0, 40}, {"LIKE", 0, 0}, {"TITLE", 0, 40}, {"ALIKE", 0, 0}});
  std::string lines;
  for (auto const& pair : copies.items) {
    auto const task = "#" + std::to_string(pair.task), other = "#" + std::to_string(pair.other);
    auto const alike = std::to_string(pair.percent) + " %";
    table.add({task, pair.title, other, pair.other_title, alike});
    lines +=
        one_line(task + " " + pair.title + " is like " + other + " " + pair.other_title + " " + alike) + "\n";
  }
  return screen.is_compact() ? lines : screen.drawn(table);
}

/// The use of the open windows of an account, such as `five_hour 82 % to 2026-11-28 14:00`.
std::string windows_of(core::Account const& account) {
  std::string out;
  for (auto const& window : account.windows) {
    if (!out.empty()) out += ", ";
    out += window.name.empty() ? "a window" : window.name;
    if (window.used) out += " " + std::to_string(std::lround(*window.used * 100)) + " %";
    if (window.ends) out += " to " + minute_of(*window.ends);
  }
  return out;
}

std::string account_list(service::Accounts const& accounts, Screen const& screen) {
  Table table({{"ACCOUNT", 0, 0},
               {"LIMITED UNTIL", 0, 0},
               {"RUNS AT ONCE", 0, 0},
               {"USED", 0, 60},
               {"REASON", 0, 60}});
  std::string lines;
  for (auto const& account : accounts.items) {
    auto const until = account.paused          ? std::string{"paused"}
                       : account.limited_until ? minute_of(*account.limited_until)
                                               : std::string{};
    auto const slots = account.slots > 0 ? std::to_string(account.slots) : "";
    auto const used = windows_of(account);
    table.add({account.name, until, slots, used, account.reason});
    bool const is_overload = account.overloaded && account.limited_until && !account.paused;
    lines += one_line(account.name + (until.empty() ? " free" : " until:" + until) +
                      (is_overload ? " (its model is at capacity)" : "") +
                      (slots.empty() ? "" : " slots:" + slots) + (used.empty() ? "" : " used: " + used)) +
             "\n";
  }
  return screen.is_compact() ? lines : screen.drawn(table);
}

std::string fault_list(service::Faults const& faults, Screen const& screen) {
  Table table({{"WHERE", 0, 0}, {"NAME", 0, 24}, {"CAUSE", 0, 0}, {"TRIED AGAIN", 0, 0}, {"REASON", 0, 80}});
  std::string lines;
  for (auto const& fault : faults.items) {
    auto const scope = std::string{core::to_text(fault.scope)};
    auto const until = fault.until ? minute_of(*fault.until) : std::string{"when you say so"};
    table.add({scope, fault.name, fault.cause, until, fault.text});
    lines += one_line(scope + " " + fault.name + " " + fault.cause + " until:" + (fault.until ? until : "-") +
                      " " + fault.text) +
             "\n";
  }
  return screen.is_compact() ? lines : screen.drawn(table);
}

}  // namespace andon::cli
