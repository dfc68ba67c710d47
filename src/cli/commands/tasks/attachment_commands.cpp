#include <cerrno>
#include <fcntl.h>

#include "cli/command_line/command_handlers.hpp"
#include "cli/command_line/execute.hpp"
#include "cli/command_line/request.hpp"
#include "core/model/task.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "service/tasks/attachments.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using core::Code;
using core::Result;

constexpr auto kMostBytes = static_cast<std::size_t>(core::kMostAttachmentBytes);

Result<std::string> content_of_file(Environment const& env, std::string const& file) try {
  return file == "-" ? read_input(env.in, kMostBytes) : os::read_file(env.directory / file, kMostBytes);
} catch (os::SystemError const& error) {
  if (error.number() == EFBIG)
    return core::refuse(Code::kTooLarge, file + " is larger than the 25 MiB of an attachment", "name");
  return core::refuse(Code::kInvalidInput, error.what(), "name");
}

/// Writes the whole of a new file or none of it; one that is there stays.
Result<void> write_new_file(fs::path const& file, std::string_view content) try {
  os::Descriptor const out{
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};  // NOLINT: a usual file
  if (!out && errno == EEXIST)
    return core::refuse(Code::kConflict, file.native() + " is there already; name another file with --to",
                        "to");
  if (!out) os::fail("write", file.native());
  try {
    os::write_all(out, content, file.native());
  } catch (os::SystemError const&) {
    std::error_code ignored;
    fs::remove(file, ignored);
    throw;
  }
  return {};
} catch (os::SystemError const& error) {
  return core::refuse(Code::kInvalidInput, error.what(), "to");
}

}  // namespace

/// The word of the command names a file here; the attachment gets its last part as name, or that of
/// `--rename`.
Result<CommandResult> add_attachment(Invocation& in, json::object request) {
  auto const file = text_of(request, "name");
  auto const name = in.given().value("rename");
  if (file == "-" && !name)
    return core::refuse(Code::kInvalidInput,
                        "name the attachment with --rename, since it comes from the "
                        "standard input",
                        "name");
  request["name"] = name ? *name : fs::path{file}.filename().native();
  ANDON_TRY(auto call, in.call_for(api::row_of<&service::attach_file>(), request));
  ANDON_SET(static_cast<service::AttachRequest*>(call.request.get())->content,
            content_of_file(in.env(), file));
  ANDON_TRY(auto answer, in.answer_of(std::move(call)));
  auto text = "Attached " + text_of(request, "name") + " to task #" + text_of(answer.as_object(), "id");
  return CommandResult{std::move(answer), std::move(text)};
}

Result<CommandResult> write_attachment(Invocation& in, json::object request) {
  auto const name = text_of(request, "name");
  auto const to = in.given().value("to").value_or(".");
  ANDON_TRY(auto call, in.call_for(api::row_of<&service::get_attachment>(), request));
  ANDON_TRY(auto const answer, in.run(std::move(call)));
  auto const& file = *static_cast<service::AttachmentContent const*>(answer.value.get());
  if (to == "-") {
    in.env().out << file.content << std::flush;
    return CommandResult{};
  }
  auto path = (in.env().directory / to).lexically_normal();
  if (std::error_code unknown; fs::is_directory(path, unknown)) path /= name;
  ANDON_CHECK(write_new_file(path, file.content));
  return CommandResult{json::object{{"file", path.native()}, {"size", file.content.size()}},
                       "Wrote " + path.native()};
}

}  // namespace andon::cli
