#include "http/site/operation_answer.hpp"

#include "http/wire/compress.hpp"
#include "http/wire/refusal.hpp"
#include "os/digest.hpp"

namespace andon::http {
namespace {

constexpr std::size_t kWorthCompressing = 1024;
constexpr std::size_t kDigestDigits = 32;

/// The ETag of an answer. It begins with the revision of a single object, for its next change. Reads add a
/// digest of the body, because counts, lights and claim ends change without a revision.
std::string etag_of(api::Answer const& answer, std::string_view body) {
  std::string out;
  if (auto const revision = answer.number("rev")) out = std::to_string(*revision);
  if (answer.operation->effect == api::Effect::read)
    out += (out.empty() ? "" : "-") + os::hex(os::sha256(body)).substr(0, kDigestDigits);
  return out.empty() ? out : "\"" + out + "\"";
}

/// The address of the task that a call made; empty for other calls.
std::string location_of(api::Answer const& answer) {
  if (answer.operation->creates != api::Creates::task) return {};
  auto const id = answer.number("id");
  return id ? "/api/v1/tasks/" + std::to_string(*id) : std::string{};
}

/// An id in the path that cannot be a task becomes `TASK_NOT_FOUND`.
core::Error seen_from_path(core::Error error) {
  if (error.code == core::Code::kInvalidTaskId && error.field == "id") error.code = core::Code::kTaskNotFound;
  return error;
}

}  // namespace

Response shaped(AnswerShape const& shape, core::Result<api::Answer> answer) {
  if (!answer) {
    auto& error = answer.error();
    return refusal(api::names_task(*shape.operation) ? seen_from_path(std::move(error)) : error,
                   shape.request_id);
  }
  Response out;
  out.status = shape.operation->status;
  out.body = answer->text();
  if (auto const etag = etag_of(*answer, out.body); !etag.empty()) {
    out.headers.emplace_back("ETag", etag);
    if (shape.operation->effect == api::Effect::read && shape.if_none_match == etag) {
      out.status = 304;
      return out;
    }
  }
  if (auto location = location_of(*answer); !location.empty())
    out.headers.emplace_back("Location", std::move(location));
  if (shape.gzip && out.body.size() > kWorthCompressing) {
    out.body = gzipped(out.body);
    out.headers.emplace_back("Content-Encoding", "gzip");
    out.headers.emplace_back("Vary", "Accept-Encoding");
  }
  return out;
}

}  // namespace andon::http
