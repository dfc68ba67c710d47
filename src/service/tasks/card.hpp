#pragma once

#include <boost/describe.hpp>

#include "core/model/run.hpp"
#include "core/model/task.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

/// A run as its card shows it.
struct CardRun {
  core::RunId id = 0;
  int attempt = 1;
  core::Instant started{};
  core::RunState state = core::RunState::starting;
  std::string worker;
};
BOOST_DESCRIBE_STRUCT(CardRun, (), (id, attempt, started, state, worker))
inline constexpr std::array kCardRunFields{
    core::Field{"id", "Number of the run", core::always},
    core::Field{"attempt", "Which attempt it is", core::always},
    core::Field{"started", "When it began", core::always},
    core::Field{"state", "starting, running or stopping", core::always},
    core::Field{"worker", "Who does it", core::always}};
constexpr auto const& fields(CardRun const*) { return kCardRunFields; }

/// The size of the work that a reviewer judges, as its card tells it. Only what is known is there.
struct CardWork {
  std::optional<core::DiffSize> diff;
  int checks = 0;
  int checks_passed = 0;
  std::optional<double> cost_usd;
  bool operator==(CardWork const&) const = default;
};
BOOST_DESCRIBE_STRUCT(CardWork, (), (diff, checks, checks_passed, cost_usd))
inline constexpr std::array kCardWorkFields{
    core::Field{"diff", "Size of its change"}, core::Field{"checks", "How many checks ran", core::set_only},
    core::Field{"checks_passed", "How many of them passed", core::set_only},
    core::Field{"cost_usd", "What the run cost in US dollars"}};
constexpr auto const& fields(CardWork const*) { return kCardWorkFields; }

/// The part of a task that a board view draws. The rest comes with the task itself.
struct Card {
  core::TaskId id = 0;
  std::string key;
  std::int64_t rev = 0;
  std::string title;
  std::string status;
  core::Stage stage = core::Stage::backlog;
  std::string priority;
  std::string class_;
  std::string rank;
  std::string assignee;
  std::string role;
  std::vector<std::string> tags;
  std::optional<core::Date> due;
  std::string estimate;
  std::optional<core::TaskId> parent;
  std::optional<bool> blocked;
  std::string block_reason;
  std::optional<core::Question> question;
  std::string claimed_by;
  std::optional<core::Instant> claim_expires;
  std::int64_t epoch = 0;
  int attempt = 0;
  int max_attempts = 0;
  std::optional<core::Instant> not_before;
  std::string failure;  ///< why its last attempt failed, until one goes well
  std::optional<bool> approved;
  std::string flag;
  std::int64_t open_deps = 0;
  std::int64_t deps = 0;
  std::optional<core::Progress> children;
  std::int64_t notes = 0;
  std::optional<CardRun> run;
  std::optional<CardWork> work;  ///< of a task in review
  std::optional<bool>
      returned;  ///< whether its accepted work could not be landed and waits for a next attempt
  std::string line;
  core::Instant entered{};
  core::Instant created{};
  core::Instant updated{};
  std::string excerpt;
};
BOOST_DESCRIBE_STRUCT(Card, (),
                      (id, key, rev, title, status, stage, priority, class_, rank, assignee, role, tags, due,
                       estimate, parent, blocked, block_reason, question, claimed_by, claim_expires, epoch,
                       attempt, max_attempts, not_before, failure, approved, flag, open_deps, deps, children,
                       notes, run, work, returned, line, entered, created, updated, excerpt))

/// Draws the card of a task as it is now; an expired claim is none.
Card card_of(OperationContext& ctx, core::Task const& task);

}  // namespace andon::service
