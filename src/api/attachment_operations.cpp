#include <array>

#include "api/local_executor.hpp"
#include "api/operation.hpp"
#include "core/model/task.hpp"
#include "core/tasks/attachment_rules.hpp"
#include "os/digest.hpp"
#include "os/random.hpp"
#include "service/tasks/attachments.hpp"
#include "store/contract/store.hpp"
#include "store/contract/store_error.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;
using service::Stored;

namespace {

using core::Code;
using service::AttachRequest;
using service::DetachRequest;

constexpr std::size_t kIdBytes = 8;

std::unexpected<core::Error> no_place() {
  return core::refuse(Code::kNotFound, "a store in memory keeps no attachments");
}

/// Says what the bytes are, under a name that the store has given to no other file of the task.
core::Result<core::Attachment> described(AttachRequest const& request) {
  core::Attachment out;
  out.id = os::random_hex(kIdBytes);
  out.name = request.name;
  out.size = std::ssize(request.content);
  out.type = core::media_type_of(request.content);
  out.sha256 = os::hex(os::sha256(request.content));
  if (!request.sha256.empty() && request.sha256 != out.sha256)
    return core::refuse(Code::kInvalidInput,
                        "the content has another SHA-256, " + out.sha256 + "; send the file again", "sha256");
  return out;
}

core::Result<void> store_content(Ports const& ports, void const* question, void* request) {
  auto& attach = *static_cast<AttachRequest*>(request);
  if (!ports.attachments) return no_place();
  ANDON_SET(attach.stored, described(attach));
  attach.place = *static_cast<store::AttachmentPlace const*>(question);
  attach.place.id = attach.stored.id;
  ports.attachments->put(attach.place, attach.content);
  attach.sha256 = attach.stored.sha256;  // by which a repeated request is known
  attach.content = {};
  return {};
}

/// A content that was stored for nothing goes.
void clear_attach(Ports const& ports, void const* request, Written written) {
  if (written == Written::no) ports.attachments->remove(static_cast<AttachRequest const*>(request)->place);
}

core::Result<void> note_place(Ports const& ports, void const* question, void* request) {
  if (!ports.attachments) return no_place();
  static_cast<DetachRequest*>(request)->place = *static_cast<store::AttachmentPlace const*>(question);
  return {};
}

void clear_detach(Ports const& ports, void const* request, Written written) {
  auto const& place = static_cast<DetachRequest const*>(request)->place;
  if (written == Written::yes && !place.id.empty()) ports.attachments->remove(place);
}

/// Reads the content that a record stands for; another one is none.
core::Result<Object> content_of(Ports const& ports, void const* asked) {
  auto const& question = *static_cast<service::AttachmentQuestion const*>(asked);
  if (!ports.attachments) return no_place();
  auto content = ports.attachments->get(question.place, core::kMostAttachmentBytes);
  if (!content)
    return core::refuse(
        Code::kNotFound,
        "the file of the attachment \"" + question.attachment.name + "\" is missing; attach it again",
        "name");
  if (os::hex(os::sha256(*content)) != question.attachment.sha256)
    return core::refuse(Code::kNotFound,
                        "the file of the attachment \"" + question.attachment.name +
                            "\" is not what was attached; attach it again",
                        "name");
  return object(service::AttachmentContent{question.attachment, *std::move(content)});
}

template <auto Ask, class Q>
core::Result<Object> ask(service::OperationContext& ctx, void const* request) {
  return detail::as_object(Ask(ctx, *static_cast<Q const*>(request)));
}

constexpr FileBody kTaken{
    .taken = [](void* request) -> std::string& { return static_cast<AttachRequest*>(request)->content; }};
constexpr FileBody kGiven{.given =
                              [](void const* response) {
                                auto const& file = *static_cast<service::AttachmentContent const*>(response);
                                auto const& about = file.attachment;
                                return FileAnswer{file.content, about.name, about.type, about.sha256};
                              },
                          .received = [](void* response) -> std::string& {
                            return static_cast<service::AttachmentContent*>(response)->content;
                          }};

/// The operation that answers with a file: its unit of work finds the record.
Operation reading_content(Operation row) {
  row = op<&service::get_attachment>(row);
  row.response = &reflect::type_of<service::AttachmentContent>();
  row.make_response = &empty_object<service::AttachmentContent>;
  row.finish = &content_of;
  row.file = kGiven;
  return row;
}

/// True for an error that says nothing about whether the change was made.
bool is_trouble(core::Error const& error) {
  return error.code == Code::kInternalError || error.code == Code::kBusy || error.code == Code::kNoSpace;
}

}  // namespace

std::span<Operation const> attachment_operations() {
  static std::array const rows{
      // clang-format off
      op<&service::list_attachments>({
          .name = "list_attachments", .method = get, .path = "/tasks/{id}/attachments",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "List the files of a task.",
          .command = {.words = "attachments list", .positional = "id?"},
      }),
      reading_content({
          .name = "get_attachment", .method = get, .path = "/tasks/{id}/attachments/{name}",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Get a file of a task.",
          .command = {.words = "attachments get", .positional = "id name",
                      .flags = {{.name = "to", .kind = FlagKind::handled,
                                 .help = "File or directory to write it to; - writes it to standard output"}}},
      }),
      op<&service::attach_file>({
          .name = "attach_file", .method = put, .path = "/tasks/{id}/attachments/{name}",
          .effect = write, .stores = Stored::attachment, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Attach a file to a task; the body is the file.",
          .command = {.words = "attachments add", .positional = "id name", .but = "sha256",
                      .flags = {{.name = "rename", .kind = FlagKind::handled,
                                 .help = "Another name for it than that of the file"}}},
          .status = 201,
          .prepare = {&ask<&service::place_for, AttachRequest>, &store_content, &clear_attach},
          .file = kTaken,
      }),
      op<&service::detach_file>({
          .name = "detach_file", .method = del, .path = "/tasks/{id}/attachments/{name}",
          .effect = destroy, .stores = Stored::report, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Remove a file from a task.",
          .command = {.words = "attachments remove", .positional = "id name",
                      .says = "Removed the file from task #{id}"},
          .prepare = {&ask<&service::place_to_clear, DetachRequest>, &note_place, &clear_detach},
      }),
      // clang-format on
  };
  return rows;
}

core::Result<Answer> LocalExecutor::run_and_clear(Call call) {
  auto const request = std::shared_ptr<void>{std::move(call.request)};
  auto const clear = call.operation->prepare.clear;
  call.request = Object{request.get(), Destroy{[](void*) {}}};
  auto answer = run_write(std::move(call));
  // After trouble of the world the change may have been made or not.
  if (!answer && is_trouble(answer.error())) return answer;
  try {
    clear(ports(), request.get(), answer && !answer->is_repeated ? Written::yes : Written::no);
  } catch (store::StoreError const&) {  // NOLINT(bugprone-empty-catch)
    // The upkeep finds a content that is left behind.
  }
  return answer;
}

core::TaskId LocalExecutor::clear_attachments(core::TaskId from, core::Instant before, std::size_t most) {
  auto* const files = store_.attachment_files();
  if (!files) return 0;
  auto const old = files->old_places(from, before, most);
  std::vector<store::AttachmentPlace> left;
  read([&](service::OperationContext& unit) { left = service::left_behind(unit, old.places); });
  for (auto const& place : left) files->remove(place);
  return old.next;
}

}  // namespace andon::api
