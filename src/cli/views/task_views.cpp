#include "cli/views/task_views.hpp"

#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/table.hpp"
#include "cli/views/landing_views.hpp"
#include "cli/views/spending_words.hpp"
#include "core/tasks/claim.hpp"

namespace andon::cli {
namespace {

/// A rejection may ask for one more than was planned.
std::string attempt_of(core::Task const& task) {
  auto const number = std::to_string(task.attempt);
  return task.attempt > task.max_attempts ? number : number + " of " + std::to_string(task.max_attempts);
}

using core::Task;

constexpr std::size_t kTitleCells = 48;
constexpr std::size_t kLabelCells = 12;
constexpr std::string_view kHead = "1";

std::string joined(std::vector<std::string> const& words, std::string_view between) {
  std::string out;
  for (auto const& word : words) out.append(out.empty() ? "" : between).append(word);
  return out;
}

std::string at_holder(Task const& task) { return task.claimed_by.empty() ? "" : "@" + task.claimed_by; }
std::string due_of(Task const& task) { return task.due ? core::to_text(*task.due) : ""; }

/// Whether an agent asks while it works on the task.
bool is_asked_in_work(Task const& task) { return task.question && task.question->run; }

/// The task's column, with a mark if it is blocked or its agent waits for an answer, which happens in any
/// column.
std::string place_of(Task const& task) {
  if (is_asked_in_work(task)) return task.status + " (asks)";
  bool const is_said = !task.blocked || task.stage == core::Stage::blocked || !task.file.empty();
  return is_said ? task.status : task.status + " (blocked)";
}

std::string compact_line(Task const& task) {
  std::string out =
      "#" + std::to_string(task.id) + " [" + place_of(task) + "/" + task.priority + "] " + task.title;
  if (!task.claimed_by.empty()) out += " " + at_holder(task);
  if (!task.tags.empty()) out += " (" + joined(task.tags, ", ") + ")";
  if (task.due) out += " due:" + due_of(task);
  return out;
}

std::string task_table(std::span<Task const> tasks, Screen const& screen) {
  Table table({{"ID", 4, 0},
               {"STATUS", 8, 0},
               {"PRIORITY", 10, 0},
               {"TITLE", 5, kTitleCells},
               {"CLAIMED", 9, 0},
               {"TAGS", 6, 0},
               {"DUE", 0, 0}});
  for (auto const& task : tasks)
    table.add({std::to_string(task.id), place_of(task), task.priority, task.title, at_holder(task),
               joined(task.tags, ","), due_of(task)});
  return screen.drawn(table);
}

/// The labelled lines of a page; those without a value are left out unless they are wanted.
class Fields {
 public:
  void always(std::string_view label, std::string const& value) { add(label, value.empty() ? "--" : value); }
  void maybe(std::string_view label, std::string const& value) {
    if (!value.empty()) add(label, value);
  }
  /// Lines of their own beneath the last one, as a terminal may have them.
  void below(std::string_view lines) { text_ += lines; }
  std::string const& text() const { return text_; }

 private:
  void add(std::string_view label, std::string const& value) {
    text_ += "  " + padded(std::string{label} + ":", kLabelCells) + " " + one_line(value) + "\n";
  }
  std::string text_;
};

std::string reference(Task const& task) {
  return "#" + std::to_string(task.id) + " [" + task.status + "] " + task.title;
}

std::string references(std::vector<Task> const& tasks) {
  std::string out;
  for (auto const& task : tasks) out.append(out.empty() ? "" : ", ").append(reference(task));
  return out;
}

std::string minute_of(std::optional<core::Instant> const& at) {
  return at ? cli::minute_of(*at) : std::string{};
}

void add_claim(Task const& task, core::Instant now, Fields& fields) {
  if (task.claimed_by.empty()) return;
  auto const since = task.claimed_at ? " (since " + cli::minute_of(*task.claimed_at) + ")" : std::string{};
  fields.always("Claimed by", task.claimed_by + since);
  fields.always("Claimed at", minute_of(task.claimed_at) + " (" + core::remaining(task, now) + ")");
}

void add_times(Task const& task, Fields& fields) {
  fields.always("Created", cli::minute_of(task.created));
  fields.always("Updated", cli::minute_of(task.updated));
  fields.maybe("Started", minute_of(task.started));
  fields.maybe("Completed", minute_of(task.completed));
  if (!task.completed) return;
  fields.always("Lead time", span_of(*task.completed - task.created));
  if (task.started) fields.always("Cycle time", span_of(*task.completed - *task.started));
}

/// The state of the plan; of a task without one, whether it needs one.
std::string plan_of(Task const& task) {
  if (task.plan_state != core::PlanState::none)
    return std::string{core::kPlanStateNames[static_cast<std::size_t>(task.plan_state)]};
  return task.plan == core::PlanRule::required ? "required" : "";
}

void add_work(Task const& task, Fields& fields) {
  if (task.blocked) fields.always("Blocked", task.block_reason);
  if (is_asked_in_work(task)) fields.always("Asks", task.question->text);
  if (task.question && !task.question->choices.empty())
    fields.always("Choices", joined(task.question->choices, " | "));
  fields.maybe("Role", task.role);
  if (task.attempt > 0) fields.always("Attempt", attempt_of(task));
  fields.maybe("Not before", minute_of(task.not_before));
  fields.maybe("Checks", joined(task.checks, ","));
  fields.maybe("Touches", joined(task.touches, ","));
  fields.maybe("Plan", plan_of(task));
  fields.maybe("Flag", task.flag);
  fields.maybe("Result", task.result);
  std::vector<std::string> files;
  for (auto const& file : task.attachments) files.push_back(file.name);
  fields.maybe("Attachments", joined(files, ", "));
}

std::string with_detail(std::string_view state, std::string const& detail) {
  return std::string{state} + (detail.empty() ? "" : ": " + detail);
}

/// How the work comes to the default branch, and how it is taken back.
void add_landing(core::Run const& run, Fields& fields) {
  constexpr std::size_t kShortCommit = 12;
  auto const detail = [&](auto const& way) {
    return way.reason.empty() ? way.commit.substr(0, kShortCommit) : way.reason;
  };
  if (run.landing) {
    bool const is_asked = run.landing->state == core::LandingState::asked;
    auto const state = with_detail(core::kLandingStateNames[static_cast<std::size_t>(run.landing->state)],
                                   is_asked ? std::string{} : detail(*run.landing));
    auto const& by = run.landing->allowed_by;
    auto const& way = run.landing->squash ? " as one commit" : "";
    fields.always("Landing", by.empty() ? state : state + " (allowed" + way + " by " + by + ")");
    if (is_asked)
      fields.below(finding_rows(run.landing->findings) + answers_to(run.landing->findings, run.task));
  }
  if (run.revert)
    fields.always("Revert", with_detail(core::kRevertStateNames[static_cast<std::size_t>(run.revert->state)],
                                        detail(*run.revert)));
}

std::string section(std::string const& body) {
  if (body.empty()) return {};
  auto text = many_lines(body);
  return "\n" + text + (text.ends_with('\n') ? "" : "\n");
}

std::string full_page(Task const& task, Related const& related, core::Instant now, Screen const& screen) {
  auto const title = "Task #" + std::to_string(task.id) + ": " + one_line(task.title);
  Fields fields;
  fields.always("Status", task.status);
  fields.always("Priority", task.priority);
  fields.maybe("Class", task.class_);
  fields.always("Assignee", task.assignee);
  fields.always("Tags", joined(task.tags, ", "));
  fields.always("Due", due_of(task));
  for (auto const& each : core::kPlainFields)
    each.shown_when_empty ? fields.always(each.label, task.*each.text)
                          : fields.maybe(each.label, task.*each.text);
  fields.maybe("Board", task.board);
  fields.maybe("Key", task.key);
  fields.maybe("Parent", references(related.parent));
  fields.maybe("Depends on", references(related.depends_on));
  fields.maybe("Children", references(related.children));
  add_work(task, fields);
  if (related.spent) fields.maybe("Spent", spent_words(*related.spent));
  if (related.landing) add_landing(*related.landing, fields);
  add_times(task, fields);
  add_claim(task, now, fields);
  return screen.painted(title, kHead) + "\n" + std::string(cells(title), '-') + "\n" + fields.text() +
         section(task.body);
}

std::string page_of_plan(service::TaskPlan const& plan) {
  Fields fields;
  fields.always("State", std::string{core::kPlanStateNames[static_cast<std::size_t>(plan.state)]});
  fields.always("By", plan.by);
  fields.always("Written", cli::minute_of(plan.at));
  fields.maybe("Judged by", plan.judged_by);
  fields.maybe("Comment", plan.comment);
  fields.always("SHA-256", plan.sha256);
  return "Plan of task #" + std::to_string(plan.task) + "\n" + fields.text() + section(plan.text);
}

std::string day_of(core::Instant at) { return core::to_text(at).substr(0, 10); }

std::string compact_page(Task const& task) {
  auto head = compact_line(task);
  for (auto const& each : core::kPlainFields)
    if (auto const& text = task.*each.text; !text.empty() && !each.compact_mark.empty())
      head.append(" ").append(each.compact_mark).append(text);
  std::string out = one_line(head) + "\n";
  out += "  created:" + day_of(task.created) + " updated:" + day_of(task.updated);
  if (task.started) out += " started:" + day_of(*task.started);
  if (task.completed) out += " completed:" + day_of(*task.completed);
  out += "\n";
  auto const body = many_lines(task.body);
  std::string_view rest = body;
  while (!rest.empty()) {
    auto const line = rest.substr(0, rest.find('\n'));
    out.append(line.empty() ? "" : "  ").append(line).append("\n");
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return out;
}

}  // namespace

std::string minute_of(core::Instant at) {
  auto text = core::to_text(at).substr(0, 16);
  text[10] = ' ';
  return text;
}

std::string span_of(core::Duration duration) {
  using namespace std::chrono;
  auto const in_hours = floor<hours>(duration);
  if (in_hours >= days{1})
    return std::to_string(in_hours / days{1}) + "d " + std::to_string((in_hours % days{1}).count()) + "h";
  return std::to_string(in_hours.count()) + "h " +
         std::to_string((floor<minutes>(duration) - in_hours).count()) + "m";
}

std::string task_list(std::span<Task const> tasks, Screen const& screen) {
  if (!screen.is_compact()) return task_table(tasks, screen);
  std::string out;
  for (auto const& task : tasks) out += one_line(compact_line(task)) + "\n";
  return out;
}

std::string task_page(Task const& task, Related const& related, core::Instant now, Screen const& screen) {
  return screen.is_compact() ? compact_page(task) : full_page(task, related, now, screen);
}

std::string plan_page(service::TaskPlan const& plan, Screen const&) { return page_of_plan(plan); }

std::string search_hits(service::SearchHits const& hits, Screen const& screen) {
  std::string out;
  for (auto const& hit : hits.items) {
    out += screen.painted("#" + std::to_string(hit.task.id), kHead) + " [" + one_line(hit.task.status) +
           "] " + one_line(hit.task.title) + "\n";
    if (!hit.snippet.empty() && !screen.is_compact()) out += "    " + one_line(hit.snippet) + "\n";
  }
  return out;
}

}  // namespace andon::cli
