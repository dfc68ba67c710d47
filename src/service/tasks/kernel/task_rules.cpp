#include "service/tasks/kernel/task_rules.hpp"

#include <algorithm>
#include <set>

#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::size_t kTitleCharacters = 500;
constexpr std::size_t kBodyBytes = 1'048'576;
constexpr std::size_t kDependencies = 100;

template <class Items, class Name>
std::vector<std::string> names_of(Items const& items, Name name) {
  std::vector<std::string> out;
  for (auto const& item : items) out.push_back(std::string{std::invoke(name, item)});
  return out;
}

std::string listed(std::vector<std::string> const& words) {
  std::string out;
  for (auto const& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::unexpected<core::Error> unknown(Code code, std::string_view field, std::string const& value,
                                     std::vector<std::string> allowed) {
  auto const text = "invalid " + std::string{field} + " \"" + value + "\"; allowed: " + listed(allowed);
  return core::refuse(core::Error{code, text, std::string{field}, {}, {}}
                          .with(std::string{field}, value)
                          .with("allowed", std::move(allowed)));
}

/// Looks for a way back to `self` along the links that `next` gives; the path is for the message.
template <class Next>
bool leads_back(core::TaskId self, core::TaskId from, Next const& next, std::set<core::TaskId>& seen,
                std::vector<core::TaskId>& path) {
  std::vector<std::pair<core::TaskId, std::size_t>> stack{{from, 0}};
  path = {from};
  seen.insert(from);
  while (!stack.empty()) {
    auto& [id, at] = stack.back();
    if (id == self) return true;
    auto const links = next(id);
    if (at == links.size()) {
      stack.pop_back();
      path.pop_back();
      continue;
    }
    auto const to = links[at++];
    if (!seen.insert(to).second) continue;
    stack.emplace_back(to, 0);
    path.push_back(to);
  }
  return false;
}

std::unexpected<core::Error> cycle(core::TaskId self, std::vector<core::TaskId> const& path,
                                   std::string_view field) {
  auto text = "#" + std::to_string(self);
  for (auto const id : path) text += " → #" + std::to_string(id);
  return core::refuse(
      core::Error{Code::kDependencyCycle, "this would close a cycle: " + text, std::string{field}, {}, {}}
          .with("path", text));
}

std::unexpected<core::Error> to_itself(core::TaskId self, std::string_view field) {
  return core::refuse(core::Error{
      Code::kSelfReference,
      "task #" + std::to_string(self) + " cannot refer to itself",
      std::string{field},
      {},
      {}}.with("id", self));
}

Result<core::Task> existing(OperationContext& ctx, TaskRef const& ref, std::string_view field) {
  auto task = find_task(ctx, ref, field);
  if (task || task.error().code != Code::kTaskNotFound) return task;
  auto error = std::move(task).error();
  error.code = Code::kDependencyNotFound;
  return core::refuse(std::move(error));
}

}  // namespace

Result<std::string> check_title(std::string const& title) {
  if (core::is_blank(title))
    return core::refuse(Code::kInvalidInput, "a task needs a title of visible characters", "title");
  auto const from = title.find_first_not_of(" \t");
  auto trimmed = title.substr(from, title.find_last_not_of(" \t") - from + 1);
  auto untabbed = trimmed;
  std::ranges::replace(untabbed, '\t', ' ');
  if (core::is_unsafe_line(untabbed))
    return core::refuse(Code::kInvalidInput,
                        "the title must be one line without control or invisible characters", "title");
  if (core::length_in_characters(trimmed) > kTitleCharacters)
    return core::refuse(Code::kInvalidInput, "the title may have at most 500 characters", "title");
  return trimmed;
}

Result<void> check_body(std::string const& body) {
  if (body.size() > kBodyBytes)
    return core::refuse(Code::kInvalidInput, "the body may have at most 1 MiB", "body");
  if (body.find('\0') != std::string::npos)
    return core::refuse(Code::kInvalidInput, "the body must not contain NUL", "body");
  if (!core::is_utf8(body)) return core::refuse(Code::kInvalidInput, "the body must be UTF-8", "body");
  return {};
}

Result<std::string> known_priority(core::Board const& board, std::string const& name) {
  auto const index = core::priority_index(board, name);
  if (index) return board.priorities[*index];
  return unknown(Code::kInvalidPriority, "priority", name, board.priorities);
}

Result<std::string> known_class(core::Board const& board, std::string const& name) {
  auto const index = core::class_index(board, name);
  if (index) return board.classes[*index].name;
  return unknown(Code::kInvalidClass, "class", name, names_of(board.classes, &core::ServiceClass::name));
}

Result<core::Column const*> known_column(core::Board const& board, std::string const& name) {
  if (auto const* column = core::find_place(board, name)) return column;
  return unknown(Code::kInvalidStatus, "status", name, names_of(board.columns, &core::Column::name));
}

Result<std::vector<std::string>> check_words(std::vector<std::string> words, std::string_view field,
                                             std::size_t most) {
  std::vector<std::string> out;
  for (auto& word : words) {
    if (core::is_blank(word) || word.size() > 200 || core::is_unsafe_line(word))
      return core::refuse(Code::kInvalidInput,
                          "\"" + std::string{field} + "\" must hold short texts of one line",
                          std::string{field});
    if (std::ranges::find(out, word) == out.end()) out.push_back(std::move(word));
  }
  if (out.size() > most)
    return core::refuse(Code::kInvalidInput,
                        "\"" + std::string{field} + "\" may hold at most " + std::to_string(most),
                        std::string{field});
  return out;
}

Result<std::string> check_line(std::string const& text, std::string_view field, std::size_t most_bytes) {
  bool const is_line = !core::is_blank(text) && text.size() <= most_bytes && !core::is_unsafe_line(text);
  if (text.empty() || is_line) return text;
  return core::refuse(Code::kInvalidInput,
                      "\"" + std::string{field} + "\" must be one line of at most " +
                          std::to_string(most_bytes) + " bytes, and not blank",
                      std::string{field});
}

Result<std::string> check_role(std::string const& role, std::string_view field) {
  bool const is_path = role.starts_with('.') || role.find_first_of("/\\") != std::string::npos;
  if (!is_path) return check_line(role, field);
  return core::refuse(Code::kInvalidInput,
                      "\"" + std::string{field} + "\" must name a role, without slashes and no dot in front",
                      std::string{field});
}

Result<void> check_check_names(core::Board const& board, std::vector<std::string> const& names) {
  for (auto const& name : names) {
    if (board.checks.contains(name)) continue;
    std::vector<std::string> known;
    for (auto const& [check, argv] : board.checks) known.push_back(check);
    return core::refuse(
        Code::kInvalidInput,
        "the board has no check \"" + name + "\"; known: " + (known.empty() ? "none" : listed(known)),
        "checks");
  }
  return {};
}

Result<std::vector<core::TaskId>> check_dependencies(OperationContext& ctx, core::TaskId self,
                                                     std::vector<TaskRef> const& refs) {
  std::vector<core::TaskId> out;
  for (auto const& ref : refs) {
    ANDON_TRY(auto const other, existing(ctx, ref, "depends_on"));
    if (other.id == self) return to_itself(self, "depends_on");
    if (std::ranges::find(out, other.id) == out.end()) out.push_back(other.id);
  }
  if (out.size() > kDependencies)
    return core::refuse(Code::kInvalidInput, "a task may depend on at most 100 others", "depends_on");
  if (self == 0) return out;
  std::set<core::TaskId> seen;
  auto const next = [&](core::TaskId id) {
    auto const task = ctx.tx.task(id);
    return task ? task->depends_on : std::vector<core::TaskId>{};
  };
  for (auto const id : out)
    if (std::vector<core::TaskId> path; leads_back(self, id, next, seen, path))
      return cycle(self, path, "depends_on");
  return out;
}

Result<core::TaskId> check_parent(OperationContext& ctx, core::TaskId self, TaskRef const& ref) {
  ANDON_TRY(auto const parent, existing(ctx, ref, "parent"));
  if (parent.id == self) return to_itself(self, "parent");
  auto above = tasks_above(ctx, parent.id);
  if (auto const back = std::ranges::find(above, self); back != above.end()) {
    above.erase(std::next(back), above.end());
    return cycle(self, above, "parent");
  }
  if (std::ssize(above) + ctx.tx.levels_below(self, core::kMostAbove) > core::kMostAbove)
    return core::refuse(Code::kInvalidInput,
                        "sub-tasks may be nested 100 deep; choose a parent further up than task #" +
                            std::to_string(parent.id),
                        "parent");
  return parent.id;
}

std::vector<core::TaskId> tasks_above(OperationContext& ctx, core::TaskId id) {
  std::vector<core::TaskId> out;
  for (auto task = ctx.tx.task(id); task; task = ctx.tx.task(task->parent.value_or(0))) {
    out.push_back(task->id);
    if (std::ssize(out) > core::kMostAbove) break;
  }
  return out;
}

core::TaskId parent_with_room(OperationContext& ctx, core::TaskId id) {
  auto const above = tasks_above(ctx, id);
  auto const excess = std::ssize(above) - core::kMostAbove;
  return excess > 0 ? above[static_cast<std::size_t>(excess)] : id;
}

bool may_approve(OperationContext const& ctx, core::Board const& board) {
  auto const name = acting_worker(ctx);
  if (name.empty()) return true;
  if (board.approval != core::Approval::trusted) return false;
  auto const* worker = ctx.tx.worker(name);
  return std::ranges::any_of(board.trusted, [&](auto const& trusted) {
    return trusted == name || (worker && !worker->role.empty() && trusted == worker->role);
  });
}

}  // namespace andon::service
