#include "service/tasks/kernel/task_template.hpp"

#include <algorithm>

#include "core/text/names.hpp"
#include "reflect/text.hpp"
#include "service/tasks/kernel/task_rules.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::size_t kTemplateTitleBytes = 500;
constexpr std::size_t kTemplateBodyBytes = 1'048'576;
/// The most that values may add to a text. Without it, a short text could name a long result many times over.
constexpr std::size_t kFilledInBytes = 131'072;
constexpr std::size_t kChildren = 20;
constexpr std::size_t kInAll = 100;

Result<void> beneath(std::string const& field, Result<void> checked) {
  if (checked) return {};
  auto error = std::move(checked).error();
  error.field = field + (error.field.empty() ? "" : "/" + error.field);
  return core::refuse(std::move(error));
}

std::optional<core::ReviewRule> rule_named(std::string_view text) {
  core::ReviewRule rule{};
  if (reflect::TextForm<core::ReviewRule>::read(text, rule)) return rule;
  return std::nullopt;
}

Result<void> check_words_of(core::NextTask const& next) {
  ANDON_CHECK(check_title(next.title));
  ANDON_CHECK(check_body(next.body));
  ANDON_CHECK(check_words(next.tags, "tags", 50));
  ANDON_CHECK(check_role(next.role));
  if (!next.assignee.empty()) ANDON_CHECK(check_words({next.assignee}, "assignee", 1));
  if (next.review.empty() || rule_named(next.review)) return {};
  return core::refuse(Code::kInvalidInput, "\"review\" must be required, none or inherit", "review");
}

Result<void> check_names_of(core::Board const& board, core::NextTask const& next) {
  if (!next.status.empty()) ANDON_CHECK(known_column(board, next.status));
  if (!next.priority.empty()) ANDON_CHECK(known_priority(board, next.priority));
  if (!next.class_.empty()) ANDON_CHECK(known_class(board, next.class_));
  return {};
}

Result<void> check_links(core::Board const& board, std::vector<core::NextTask> const& chain,
                         std::string const& field, int depth, std::size_t& seen) {
  if (chain.empty()) return {};
  if (depth > kDeepestChain)
    return core::refuse(Code::kInvalidInput, "a chain may be at most 5 tasks deep", field);
  if (chain.size() > kChildren)
    return core::refuse(Code::kInvalidInput, "at most 20 tasks may follow one", field);
  seen += chain.size();
  if (seen > kInAll)
    return core::refuse(Code::kInvalidInput, "a chain may have at most 100 tasks in all", field);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    auto const here = field + "/" + std::to_string(i);
    ANDON_CHECK(beneath(here, check_words_of(chain[i])));
    ANDON_CHECK(beneath(here, check_names_of(board, chain[i])));
    ANDON_CHECK(check_links(board, chain[i].next_tasks, here + "/next_tasks", depth + 1, seen));
  }
  return {};
}

std::string title_of(core::NextTask const& next, core::ValueOf const& value_of) {
  auto text = core::render_template(next.title, value_of, kTemplateTitleBytes);
  std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return check_title(text).value_or(next.title);
}

}  // namespace

Result<void> check_template(core::Board const& board, core::NextTask const& next, std::string const& field) {
  ANDON_CHECK(beneath(field, check_words_of(next)));
  ANDON_CHECK(beneath(field, check_names_of(board, next)));
  return check_chain(board, next.next_tasks, field + "/next_tasks");
}

Result<void> check_chain(core::Board const& board, std::vector<core::NextTask> const& chain,
                         std::string const& field) {
  std::size_t seen = 0;
  return check_links(board, chain, field, 1, seen);
}

void fit_template(core::Board const& board, std::map<std::string, std::string> const& columns,
                  core::NextTask& next) {
  auto const now = std::ranges::find_if(
      columns, [&](auto const& entry) { return core::same_name(entry.first, next.status); });
  if (now != columns.end() && !core::same_name(now->second, next.status)) next.status = now->second;
  if (!next.status.empty() && !core::find_place(board, next.status)) next.status.clear();
  if (!next.priority.empty() && !known_priority(board, next.priority)) next.priority.clear();
  if (!next.class_.empty() && !known_class(board, next.class_)) next.class_.clear();
  for (auto& following : next.next_tasks) fit_template(board, columns, following);
}

core::Task task_from(core::NextTask const& next, core::Board const& board, core::ValueOf const& value_of) {
  core::Task task;
  task.title = title_of(next, value_of);
  auto const most = std::min(kTemplateBodyBytes, next.body.size() + kFilledInBytes);
  task.body = core::render_template(next.body, value_of, most);
  task.board = board.name;
  task.role = next.role;
  task.assignee = next.assignee;
  task.priority = next.priority.empty() ? board.default_priority : next.priority;
  task.class_ = next.class_;
  task.tags = next.tags;
  task.next_tasks = next.next_tasks;
  task.review = rule_named(next.review).value_or(core::ReviewRule::inherit);
  return task;
}

}  // namespace andon::service
