// A content is stored first, in a place of its own, and recorded then; it is removed after its record. So no
// record ever names a content that is not there, and two requests never write to one place.

#include "service/tasks/attachments.hpp"

#include <algorithm>

#include "core/tasks/attachment_rules.hpp"
#include "service/remote_runners.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/change.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "service/tasks/kernel/void_approval.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

/// A run may change the files of its own task only, and only while it holds it; people may at any time.
Result<Change> open_files(OperationContext& ctx, TaskRef const& ref, std::optional<core::Epoch> epoch) {
  if (!is_run(ctx)) return open(ctx, ref);
  return open_claimed(ctx, ref, Proof{{}, epoch});
}

Result<core::Attachment const*> known_attachment(core::Task const& task, std::string const& name) {
  if (auto const* found = core::find_attachment(task.attachments, name)) return found;
  return core::refuse(Code::kNotFound,
                      "task #" + std::to_string(task.id) + " has no attachment \"" + name + "\"", "name");
}

Result<store::AttachmentPlace> place_on(OperationContext& ctx, core::Task const& task) {
  ANDON_TRY(auto const* board, board_of(ctx, task));
  return store::AttachmentPlace{core::is_attached(*board) ? board->directory : "", task.id, {}, {}};
}

Result<void> check_bytes(core::Task const& task, std::int64_t more) {
  for (auto const& each : task.attachments) more += std::max<std::int64_t>(0, each.size);
  if (more <= core::kMostAttachmentBytesOfTask) return {};
  return core::refuse(Code::kTooLarge,
                      "the attachments of a task may have 500 MiB together; remove one first", "content");
}

Result<void> check_room(core::Task const& task, std::string const& name, std::int64_t size) {
  if (core::find_attachment(task.attachments, name))
    return core::refuse(Code::kConflict,
                        "the task has an attachment \"" + name +
                            "\" already; give this one another name, or "
                            "remove that one first",
                        "name");
  if (task.attachments.size() >= core::kMostAttachments)
    return core::refuse(Code::kConflict,
                        "the task has " + std::to_string(core::kMostAttachments) +
                            " attachments, which is the most; remove one first",
                        "name");
  return check_bytes(task, size);
}

/// The place of an attachment; a record in a file of a board may hold anything, which is then no place.
Result<AttachmentQuestion> question_about(OperationContext& ctx, core::Task const& task,
                                          std::string const& name) {
  ANDON_TRY(auto const* found, known_attachment(task, name));
  if (!core::has_safe_place(*found))
    return core::refuse(Code::kNotFound,
                        "the record of the attachment \"" + name + "\" is none that Andon made", "name");
  ANDON_TRY(auto place, place_on(ctx, task));
  place.id = found->id;
  place.name = found->name;
  return AttachmentQuestion{std::move(place), *found};
}

}  // namespace

Result<Attachments> list_attachments(OperationContext& ctx, TaskRequest const& r) {
  ANDON_TRY(auto const task, find_task(ctx, r.id));
  return Attachments{task.attachments};
}

Result<AttachmentQuestion> get_attachment(OperationContext& ctx, AttachmentRequest const& r) {
  ANDON_TRY(auto const task, find_task(ctx, r.id));
  auto const run = is_runner(ctx) && task.run ? ctx.tx.run(*task.run) : std::nullopt;
  if (is_runner(ctx) && !(run && is_of_runner(ctx, *run)))
    return core::refuse(core::Code::kForbidden, "a runner reads the files of tasks of its own runs only",
                        "id");
  return question_about(ctx, task, r.name);
}

Result<store::AttachmentPlace> place_for(OperationContext& ctx, AttachRequest const& r) {
  ANDON_CHECK(core::check_attachment_name(r.name));
  if (r.content.empty()) return core::refuse(Code::kInvalidInput, "the file is empty");
  if (std::ssize(r.content) > core::kMostAttachmentBytes)
    return core::refuse(Code::kTooLarge, "an attachment may have 25 MiB", "content");
  ANDON_TRY(auto const task, find_task(ctx, r.id));
  // A repeated request is answered later, with the record that it made.
  if (!core::find_attachment(task.attachments, r.name)) ANDON_CHECK(check_bytes(task, std::ssize(r.content)));
  ANDON_TRY(auto place, place_on(ctx, task));
  place.name = r.name;
  return place;
}

Result<core::Task> attach_file(OperationContext& ctx, AttachRequest const& r) {
  ANDON_TRY(auto change, open_files(ctx, r.id, r.epoch));
  ANDON_CHECK(check_room(change.before, r.name, r.stored.size));
  auto& record = change.after.attachments.emplace_back(r.stored);
  record.by = core::to_text(ctx.caller.actor);
  record.at = ctx.now;
  void_approval(ctx, change);
  return save(ctx, change, core::EventKind::task_edited, {{"attached", r.name}});
}

Result<store::AttachmentPlace> place_to_clear(OperationContext& ctx, DetachRequest const& r) {
  ANDON_TRY(auto const task, find_task(ctx, r.id));
  ANDON_TRY(auto const* found, known_attachment(task, r.name));
  ANDON_TRY(auto place, place_on(ctx, task));
  if (!core::has_safe_place(*found)) return place;  // without an id there is nothing to remove
  place.id = found->id;
  place.name = found->name;
  return place;
}

Result<core::Task> detach_file(OperationContext& ctx, DetachRequest const& r) {
  ANDON_TRY(auto change, open_files(ctx, r.id, r.epoch));
  ANDON_TRY(auto const* found, known_attachment(change.before, r.name));
  if (!r.place.id.empty() && found->id != r.place.id)
    return core::refuse(Code::kConflict, "the attachment was replaced meanwhile; look again", "name");
  auto const id = found->id;
  auto const name = found->name;
  std::erase_if(change.after.attachments,
                [&](core::Attachment const& each) { return each.id == id && each.name == name; });
  void_approval(ctx, change);
  return save(ctx, change, core::EventKind::task_edited, {{"detached", name}});
}

std::vector<store::AttachmentPlace> left_behind(OperationContext& ctx,
                                                std::vector<store::AttachmentPlace> const& places) {
  std::vector<store::AttachmentPlace> out;
  std::optional<core::Task> task;
  auto const last = ctx.tx.highest_task();
  for (auto const& place : places) {
    if (place.task > last) continue;
    if (!task || task->id != place.task) task = ctx.tx.task(place.task);
    bool const is_named = task && std::ranges::any_of(task->attachments, [&](core::Attachment const& each) {
                            return each.id == place.id;
                          });
    if (!is_named) out.push_back(place);
  }
  return out;
}

}  // namespace andon::service
