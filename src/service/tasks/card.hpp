#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/id.hpp"
#include "core/model/plain_field.hpp"
#include "core/model/plan.hpp"
#include "core/model/progress.hpp"
#include "core/model/question.hpp"
#include "core/model/run.hpp"
#include "core/model/stage.hpp"
#include "core/model/work_state.hpp"
#include "core/time/time.hpp"
#include "service/limits/task_spending.hpp"

namespace andon::core {
struct Task;
}

namespace andon::service {

struct OperationContext;

/// A run as its card shows it.
struct CardRun {
  core::RunId id = 0;
  int attempt = 1;
  core::Instant started{};
  core::RunState state = core::RunState::starting;
  std::string worker;
};
void describe(auto& field, CardRun const*) {
  field(&CardRun::id, "id", "Number of the run", core::always);
  field(&CardRun::attempt, "attempt", "Which attempt it is", core::always);
  field(&CardRun::started, "started", "When it began", core::always);
  field(&CardRun::state, "state", "starting, running or stopping", core::always);
  field(&CardRun::worker, "worker", "Who does it", core::always);
}

/// The size of the work that a reviewer judges, as its card tells it. Only what is known is there.
struct CardWork {
  std::optional<core::DiffSize> diff;
  int checks = 0;
  int checks_passed = 0;
  std::optional<double> cost_usd;
  bool operator==(CardWork const&) const = default;
};
void describe(auto& field, CardWork const*) {
  field(&CardWork::diff, "diff", "Size of its change");
  field(&CardWork::checks, "checks", "How many checks ran", core::set_only);
  field(&CardWork::checks_passed, "checks_passed", "How many of them passed", core::set_only);
  field(&CardWork::cost_usd, "cost_usd", "What the run cost in US dollars");
}

/// The part of a task that a board view draws. The rest comes with the task itself.
struct Card : core::PlainTexts {
  core::TaskId id = 0;
  std::string key;
  core::Revision rev = 0;
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
  std::optional<core::TaskId> parent;
  std::optional<bool> blocked;
  std::string block_reason;
  std::optional<core::Question> question;
  std::string claimed_by;
  std::optional<core::Instant> claim_expires;
  core::Epoch epoch = 0;
  int attempt = 0;
  int max_attempts = 0;
  std::optional<core::Instant> not_before;
  std::string failure;  ///< why its last attempt failed, until one goes well
  std::optional<bool> approved;
  std::string flag;
  core::WorkRemark remark = core::WorkRemark::none;
  std::int64_t open_deps = 0;
  std::int64_t deps = 0;
  std::optional<core::Progress> children;
  std::int64_t notes = 0;
  std::int64_t attachments = 0;  ///< how many files belong to it
  std::optional<CardRun> run;
  std::optional<CardWork> work;  ///< of a task in review
  std::optional<TaskSpending> spent;
  std::optional<bool>
      returned;  ///< whether its accepted work could not be landed and waits for a next attempt
  core::PlanState plan_state =
      core::PlanState::none;          ///< proposed, when the task stands for the sake of its plan
  std::optional<bool> landing_asked;  ///< whether a person must say whether its work lands
  std::optional<bool> has_reviewer;   ///< whether a worker is to judge its work
  std::string line;
  core::Instant entered{};
  core::Instant created{};
  core::Instant updated{};
  std::string excerpt;
};
void describe(auto& field, Card const* extended) {
  field(&Card::id, "id");
  field(&Card::key, "key");
  field(&Card::rev, "rev");
  field(&Card::title, "title", "", core::always);
  field(&Card::status, "status", "", core::always);
  field(&Card::stage, "stage");
  field(&Card::priority, "priority", "", core::always);
  field(&Card::class_, "class", "", core::always);
  field(&Card::rank, "rank", "", core::always);
  field(&Card::assignee, "assignee");
  field(&Card::role, "role");
  field(&Card::tags, "tags");
  field(&Card::due, "due");
  describe(field, static_cast<core::PlainTexts const*>(extended));
  field(&Card::parent, "parent");
  field(&Card::blocked, "blocked");
  field(&Card::block_reason, "block_reason");
  field(&Card::question, "question");
  field(&Card::claimed_by, "claimed_by");
  field(&Card::claim_expires, "claim_expires");
  field(&Card::epoch, "epoch");
  field(&Card::attempt, "attempt");
  field(&Card::max_attempts, "max_attempts");
  field(&Card::not_before, "not_before");
  field(&Card::failure, "failure");
  field(&Card::approved, "approved");
  field(&Card::flag, "flag");
  field(
      &Card::remark, "remark",
      "What no rule accepts by itself: plan, plan_changed_files, no_evidence, no_change, shared_directory or "
      "no_verdict",
      core::set_only);
  field(&Card::open_deps, "open_deps");
  field(&Card::deps, "deps");
  field(&Card::children, "children");
  field(&Card::notes, "notes");
  field(&Card::attachments, "attachments", "How many files belong to it", core::set_only);
  field(&Card::run, "run");
  field(&Card::work, "work");
  field(&Card::spent, "spent", "What its runs spent together");
  field(&Card::returned, "returned");
  field(&Card::plan_state, "plan_state", "proposed, when a plan waits for a verdict", core::set_only);
  field(&Card::landing_asked, "landing_asked");
  field(&Card::has_reviewer, "has_reviewer",
        "Whether a worker is to judge its work, so that no person is needed", core::set_only);
  field(&Card::line, "line");
  field(&Card::entered, "entered");
  field(&Card::created, "created");
  field(&Card::updated, "updated");
  field(&Card::excerpt, "excerpt");
}

/// Draws the card of a task as it is now; an expired claim is none.
Card card_of(OperationContext& ctx, core::Task const& task);

}  // namespace andon::service
