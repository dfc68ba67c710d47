#include "core/tasks/lifecycle.hpp"

#include <algorithm>
#include <array>

namespace andon::core {
namespace {

using enum Stage;

constexpr std::array kEdges{
    Edge{backlog, Verb::approve, ready},    Edge{backlog, Verb::block, blocked},
    Edge{backlog, Verb::archive, archived},

    Edge{ready, Verb::shelve, backlog},     Edge{ready, Verb::claim, claimed},
    Edge{ready, Verb::block, blocked},      Edge{ready, Verb::archive, archived},

    Edge{claimed, Verb::kill, backlog},     Edge{claimed, Verb::release, ready},
    Edge{claimed, Verb::recover, ready},    Edge{claimed, Verb::start, active},
    Edge{claimed, Verb::block, blocked},    Edge{claimed, Verb::fail, failed},

    Edge{active, Verb::kill, backlog},      Edge{active, Verb::release, ready},
    Edge{active, Verb::fail_retry, ready},  Edge{active, Verb::recover, ready},
    Edge{active, Verb::submit, review},     Edge{active, Verb::block, blocked},
    Edge{active, Verb::fail, failed},       Edge{active, Verb::complete, done},

    Edge{review, Verb::reject, ready},      Edge{review, Verb::reject_resume, active},
    Edge{review, Verb::block, blocked},     Edge{review, Verb::accept, done},

    Edge{blocked, Verb::shelve, backlog},   Edge{blocked, Verb::unblock, ready},
    Edge{blocked, Verb::unblock, active},   Edge{blocked, Verb::unblock, review},
    Edge{blocked, Verb::archive, archived},

    Edge{failed, Verb::shelve, backlog},    Edge{failed, Verb::retry, ready},
    Edge{failed, Verb::archive, archived},

    Edge{done, Verb::reopen, ready},        Edge{done, Verb::archive, archived},

    Edge{archived, Verb::restore, backlog},
};

constexpr std::array<std::string_view, 20> kVerbs{
    "approve", "shelve",        "claim",   "start",   "submit",  "complete",   "accept",
    "reject",  "reject-resume", "release", "recover", "fail",    "fail-retry", "kill",
    "block",   "unblock",       "retry",   "reopen",  "archive", "restore"};

consteval bool every_stage_is_reachable() {
  for (std::size_t s = 0; s < kStages; ++s)
    if (std::ranges::none_of(kEdges, [&](Edge const& e) { return e.to == static_cast<Stage>(s); }))
      return false;
  return true;
}
consteval bool no_stage_is_a_dead_end() {
  for (std::size_t s = 0; s < kStages; ++s)
    if (std::ranges::none_of(kEdges, [&](Edge const& e) { return e.from == static_cast<Stage>(s); }))
      return false;
  return true;
}
consteval bool killed_work_never_returns_to_dispatch() {
  return std::ranges::all_of(kEdges, [](Edge const& e) { return e.verb != Verb::kill || e.to == backlog; });
}
consteval bool no_edge_is_written_twice() {
  for (std::size_t i = 0; i < kEdges.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (kEdges[i].from == kEdges[j].from && kEdges[i].to == kEdges[j].to &&
          kEdges[i].verb == kEdges[j].verb)
        return false;
  return true;
}
static_assert(every_stage_is_reachable() && no_stage_is_a_dead_end());
static_assert(killed_work_never_returns_to_dispatch() && no_edge_is_written_twice());
static_assert(kVerbs.size() == static_cast<std::size_t>(Verb::restore) + 1);

template <class Names>
std::string joined(Names const& names) {
  std::string out;
  for (auto const& name : names) out += (out.empty() ? "" : ", ") + std::string{name};
  return out;
}

}  // namespace

std::string_view to_text(Verb verb) { return kVerbs[static_cast<std::size_t>(verb)]; }

std::optional<Stage> parse_stage(std::string_view text) {
  for (std::size_t i = 0; i < kStages; ++i)
    if (kStageNames[i] == text) return static_cast<Stage>(i);
  return std::nullopt;
}

std::span<Edge const> edges() { return kEdges; }

bool is_legal(Stage from, Stage to) {
  return std::ranges::any_of(kEdges, [&](Edge const& e) { return e.from == from && e.to == to; });
}

bool is_legal(Stage from, Verb verb, Stage to) {
  return std::ranges::any_of(kEdges,
                             [&](Edge const& e) { return e.from == from && e.verb == verb && e.to == to; });
}

std::vector<Stage> targets(Stage from) {
  std::vector<Stage> out;
  for (std::size_t s = 0; s < kStages; ++s)
    if (is_legal(from, static_cast<Stage>(s))) out.push_back(static_cast<Stage>(s));
  return out;
}

Result<void> check_transition(Stage from, Stage to) {
  if (is_legal(from, to)) return {};
  std::vector<std::string> names;
  for (auto stage : targets(from)) names.emplace_back(to_text(stage));
  auto const text = "cannot go from " + std::string{to_text(from)} + " to " + std::string{to_text(to)} +
                    "; from here a task can go to: " + joined(names);
  return refuse(Error{Code::kIllegalTransition, text, "status", {}, {}}.with("allowed", std::move(names)));
}

Result<void> check_verb(Stage from, Verb verb) {
  std::vector<std::string> verbs;
  for (auto const& edge : kEdges) {
    if (edge.from != from) continue;
    if (edge.verb == verb) return {};
    verbs.emplace_back(to_text(edge.verb));
  }
  auto const text = "cannot " + std::string{to_text(verb)} + " a task that is " + std::string{to_text(from)} +
                    "; possible now: " + joined(verbs);
  return refuse(Error{Code::kIllegalTransition, text, {}, {}, {}}.with("allowed", std::move(verbs)));
}

}  // namespace andon::core
