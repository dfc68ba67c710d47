#include "http/site/operation_answer.hpp"

#include <algorithm>
#include <array>

#include "api/operation.hpp"
#include "core/text/percent.hpp"
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

constexpr std::array<std::string_view, 5> kShown{"image/png", "image/jpeg", "image/gif", "image/webp",
                                                 "text/plain"};

/// The type under which a file is given out: a browser may draw images, and reads no other type as anything
/// but bytes.
std::string_view type_given(std::string_view type) {
  auto const found = std::ranges::find(kShown, type);
  if (found == kShown.end()) return "application/octet-stream";
  return type == "text/plain" ? "text/plain; charset=utf-8" : *found;
}

/// A file of somebody else: it is downloaded, and nothing in it runs where a browser shows it all the same
/// (RFC 6266, RFC 8187 for the name).
Response shaped_file(AnswerShape const& shape, api::FileAnswer const& file) {
  Response out;
  out.status = shape.operation->status;
  out.type = type_given(file.type);
  out.headers = {{"Content-Security-Policy", "sandbox; default-src 'none'"},
                 {"Cross-Origin-Resource-Policy", "same-origin"},
                 {"Content-Disposition", "attachment; filename*=UTF-8''" + core::percent_encoded(file.name)}};
  auto const etag = "\"" + std::string{file.digest.substr(0, kDigestDigits)} + "\"";
  out.headers.emplace_back("ETag", etag);
  if (shape.if_none_match == etag)
    out.status = 304;
  else
    out.body = file.content;
  return out;
}

}  // namespace

Response shaped(AnswerShape const& shape, core::Result<api::Answer> answer) {
  if (!answer) {
    auto& error = answer.error();
    return refusal(api::names_task(*shape.operation) ? seen_from_path(std::move(error)) : error,
                   shape.request_id);
  }
  if (auto const given = shape.operation->file.given; given && answer->value)
    return shaped_file(shape, given(answer->value.get()));
  Response out;
  out.status = answer->made_nothing ? 200 : shape.operation->status;
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
