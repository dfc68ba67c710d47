#include "store/sql/rows/details.hpp"

#include "core/tasks/work_state.hpp"
#include "reflect/described.hpp"
#include "store/sql/rows/json_text.hpp"

namespace andon::store::sql {

using core::Field;

/// The rarely set members of a task; they are named as in core::Task and core::TaskState.
struct Details : core::PlainTexts {
  std::vector<std::string> tags;
  std::vector<core::TaskId> depends_on;
  std::string block_reason;
  std::string flag;
  std::optional<core::Question> question;
  std::vector<std::string> touches;
  std::vector<core::NextTask> next_tasks;
  std::vector<std::string> checks;
  core::ReviewRule review = core::ReviewRule::inherit;
  std::string returns_to;
  std::string last_failure;
  int depth = 0;
  core::TaskId reviews = 0;
  std::string not_for;
  bool autocomplete = false;
  std::optional<core::Instant> retry_at;
  std::vector<core::Attachment> attachments;
  core::PlanRule plan = core::PlanRule::none;
  core::PlanState plan_state = core::PlanState::none;
  /// Absent in rows of versions that kept the flag alone.
  std::optional<core::ReportState> report;
  std::optional<core::WorkRemark> remark;
};
void describe(auto& field, Details const* extended) {
  field(&Details::tags, "tags");
  describe(field, static_cast<core::PlainTexts const*>(extended));
  field(&Details::depends_on, "depends_on");
  field(&Details::block_reason, "block_reason");
  field(&Details::flag, "flag");
  field(&Details::question, "question");
  field(&Details::touches, "touches");
  field(&Details::next_tasks, "next_tasks");
  field(&Details::checks, "checks");
  field(&Details::review, "review", "", core::always);
  field(&Details::returns_to, "returns_to");
  field(&Details::last_failure, "last_failure");
  field(&Details::depth, "depth", "", core::set_only);
  field(&Details::reviews, "reviews", "", core::set_only);
  field(&Details::not_for, "not_for");
  field(&Details::autocomplete, "autocomplete", "", core::set_only);
  field(&Details::retry_at, "retry_at");
  field(&Details::attachments, "attachments");
  field(&Details::plan, "plan", "", core::set_only);
  field(&Details::plan_state, "plan_state", "", core::set_only);
  field(&Details::report, "report");
  field(&Details::remark, "remark");
}

/// The flag is a text beside the states. An earlier version kept nothing else of them.
void read_states(Details const& details, core::Task& task) {
  if (!details.report && !details.remark) return core::read_flag(task, details.flag);
  task.flag = details.flag;
  task.state.report = details.report.value_or(core::ReportState::none);
  task.state.remark = details.remark.value_or(core::WorkRemark::none);
}

std::string details_of(core::Task const& task) {
  static core::Task const none;
  if (same_details(task, none)) return {};
  return reflect::to_json(Details{task,
                                  task.tags,
                                  task.depends_on,
                                  task.block_reason,
                                  task.flag,
                                  task.question,
                                  task.touches,
                                  task.next_tasks,
                                  task.checks,
                                  task.review,
                                  task.state.returns_to,
                                  task.state.last_failure,
                                  task.state.depth,
                                  task.state.reviews,
                                  task.state.not_for,
                                  task.autocomplete,
                                  task.state.retry_at,
                                  task.attachments,
                                  task.plan,
                                  task.plan_state,
                                  task.state.report,
                                  task.state.remark});
}

void read_details(std::string_view json, core::Task& task) {
  auto details = read_kept<Details>(json);
  task.tags = std::move(details.tags);
  static_cast<core::PlainTexts&>(task) = std::move(details);
  task.depends_on = std::move(details.depends_on);
  task.block_reason = std::move(details.block_reason);
  read_states(details, task);
  task.question = std::move(details.question);
  task.touches = std::move(details.touches);
  task.next_tasks = std::move(details.next_tasks);
  task.checks = std::move(details.checks);
  task.review = details.review;
  task.state.returns_to = std::move(details.returns_to);
  task.state.last_failure = std::move(details.last_failure);
  task.state.depth = details.depth;
  task.state.reviews = details.reviews;
  task.state.not_for = std::move(details.not_for);
  task.autocomplete = details.autocomplete;
  task.state.retry_at = details.retry_at;
  task.attachments = std::move(details.attachments);
  task.plan = details.plan;
  task.plan_state = details.plan_state;
}

bool same_details(core::Task const& a, core::Task const& b) {
  return static_cast<core::PlainTexts const&>(a) == b && a.tags == b.tags && a.depends_on == b.depends_on &&
         a.block_reason == b.block_reason && a.flag == b.flag && a.question == b.question &&
         a.touches == b.touches && a.next_tasks == b.next_tasks && a.checks == b.checks &&
         a.review == b.review && a.state.returns_to == b.state.returns_to &&
         a.state.last_failure == b.state.last_failure && a.state.depth == b.state.depth &&
         a.state.reviews == b.state.reviews && a.state.not_for == b.state.not_for &&
         a.autocomplete == b.autocomplete && a.state.retry_at == b.state.retry_at &&
         a.attachments == b.attachments && a.plan == b.plan && a.plan_state == b.plan_state &&
         a.state.report == b.state.report && a.state.remark == b.state.remark;
}

}  // namespace andon::store::sql
