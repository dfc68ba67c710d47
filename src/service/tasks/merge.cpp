#include "service/tasks/merge.hpp"

#include <algorithm>

#include "core/tasks/claim.hpp"
#include "core/text/visible_text.hpp"
#include "service/tasks/copy_pairs.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/kernel/change.hpp"
#include "service/tasks/kernel/standing_task.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/with_body.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::Task;

/// The most tasks that one merge gives another parent or dependency.
constexpr std::size_t kMostHanging = 100;
constexpr std::size_t kLongestPart = 16 << 10;  ///< of a brief or a result in the note

std::string number(Task const& task) { return std::to_string(task.id); }

Result<void> check_merge(OperationContext& ctx, Task const& copy, Task const& into) {
  if (copy.id == into.id)
    return core::refuse(Code::kSelfReference, "a task cannot be merged into itself; name another one",
                        "into");
  if (copy.board != into.board)
    return core::refuse(Code::kStatusConflict, "the tasks are on two boards; merge tasks of one board",
                        "into");
  for (auto const* task : {&copy, &into})
    if (core::is_archived(task->stage))
      return core::refuse(Code::kStatusConflict,
                          "task #" + number(*task) + " is archived; move it to another column first");
  if (into.parent == copy.id)
    return core::refuse(
        Code::kDependencyCycle,
        "task #" + number(into) + " is a sub-task of #" + number(copy) + "; give it another parent first",
        "into");
  if (!core::is_claimed(copy, ctx.now) && !copy.state.stopping) return {};
  return core::refuse(Code::kTaskClaimed, "somebody works on #" + number(copy) +
                                              "; release it first, or merge #" + number(into) + " into it");
}

/// The words of both, each once.
std::vector<std::string> joined(std::vector<std::string> words, std::vector<std::string> const& more) {
  for (auto const& word : more)
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  return words;
}

/// Edits a task on behalf of the person who merges; an edit that would change nothing is none.
Result<void> change_for_merge(OperationContext& ctx, EditTaskRequest request) {
  request.force = true;
  auto const edited = edit_task(ctx, request);
  if (!edited && edited.error().code != Code::kNoChanges) return std::unexpected(edited.error());
  return {};
}

Result<void> join_words(OperationContext& ctx, Task const& copy, Task const& into) {
  EditTaskRequest request;
  request.id = into.id;
  request.add_tags = copy.tags;
  if (auto touches = joined(into.touches, copy.touches); touches != into.touches) request.touches = touches;
  if (std::ranges::find(into.depends_on, copy.id) != into.depends_on.end()) request.remove_deps = {copy.id};
  return change_for_merge(ctx, std::move(request));
}

Result<void> hang_elsewhere(OperationContext& ctx, Task const& copy, Task const& into) {
  auto const children = ctx.tx.children(copy.id), dependents = ctx.tx.dependents(copy.id);
  if (children.size() + dependents.size() > kMostHanging)
    return core::refuse(Code::kStatusConflict, "more than 100 tasks hang on #" + number(copy) + "; merge #" +
                                                   number(into) + " into it instead");
  for (auto const child : children) {
    EditTaskRequest request;
    request.id = child;
    request.parent = TaskRef{into.id};
    ANDON_CHECK(change_for_merge(ctx, std::move(request)));
  }
  for (auto const dependent : dependents) {
    if (dependent == into.id) continue;
    EditTaskRequest request;
    request.id = dependent;
    request.remove_deps = {copy.id};
    request.add_deps = {into.id};
    ANDON_CHECK(change_for_merge(ctx, std::move(request)));
  }
  return {};
}

/// At most `kLongestPart` bytes of a text, without half a character at the end.
std::string_view beginning_of(std::string_view text) {
  if (text.size() <= kLongestPart) return text;
  auto end = kLongestPart;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

std::string section(std::string_view heading, std::string_view text) {
  if (text.empty()) return {};
  auto const beginning = beginning_of(text);
  return "\n\n" + std::string{heading} + "\n\n" + core::visible_text(beginning) +
         (beginning.size() < text.size() ? " …" : "");
}

Result<void> note_merge(OperationContext& ctx, Task const& copy, Task const& into) {
  auto const body = ctx.tx.body(copy.id).value_or("");
  ANDON_CHECK(note_task(ctx, {into.id, "Merged from " + name_of(copy) + "." + section("Its brief:", body) +
                                           section("Its result:", copy.result)}));
  ANDON_CHECK(note_task(ctx, {copy.id, "Merged into " + name_of(into) + "."}));
  return {};
}

}  // namespace

Result<Task> merge_tasks(OperationContext& ctx, MergeTasksRequest const& r) {
  ANDON_TRY(auto const copy, find_task(ctx, r.id));
  ANDON_TRY(auto const into, find_task(ctx, r.into, "into"));
  ANDON_CHECK(check_merge(ctx, copy, into));
  OperationContext inner = ctx;
  inner.expected_rev.reset();
  ANDON_CHECK(join_words(inner, copy, into));
  ANDON_CHECK(hang_elsewhere(inner, copy, into));
  ANDON_CHECK(note_merge(inner, copy, into));
  HeldTaskRequest archived;
  archived.id = copy.id;
  ANDON_CHECK(archive_task(inner, archived));
  ANDON_TRY(auto const* board, board_of(ctx, into));
  drop_pairs_of(ctx, board->id, copy.id);
  return with_body(ctx, find_task(ctx, into.id));
}

}  // namespace andon::service
