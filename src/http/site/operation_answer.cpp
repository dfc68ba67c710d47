#include "http/site/operation_answer.hpp"

#include <algorithm>

#include "http/wire/compress.hpp"
#include "http/wire/refusal.hpp"
#include "os/digest.hpp"

namespace andon::http {
namespace {

constexpr std::size_t kWorthCompressing = 1024;
constexpr std::size_t kDigestDigits = 32;

/// The digits after a member's name. Quotes inside JSON strings are escaped, so the name cannot match inside
/// one.
std::string_view number_after(std::string_view json, std::string_view name) {
  auto const at = json.rfind(name);
  if (at == std::string_view::npos) return {};
  auto const digits = json.substr(at + name.size());
  return digits.substr(0, digits.find_first_not_of("0123456789"));
}

/// Whether the answer is one task or board with its revision.
bool has_revision(api::Operation const& operation) {
  auto const& type = *operation.response;
  return type.kind == reflect::Kind::object &&
         std::ranges::find(type.members(), "rev", &reflect::Member::name) != type.members().end();
}

/// The ETag of an answer. It begins with the revision of a single object, for its next change. Reads add a
/// digest of the body, because counts, lights and claim ends change without a revision.
std::string etag_of(api::Operation const& operation, std::string_view body) {
  std::string out;
  if (has_revision(operation)) out = number_after(body, R"(,"rev":)");
  if (operation.effect == api::Effect::read)
    out += (out.empty() ? "" : "-") + os::hex(os::sha256(body)).substr(0, kDigestDigits);
  return out.empty() ? out : "\"" + out + "\"";
}

/// An id in the path that cannot be a task becomes `TASK_NOT_FOUND`.
core::Error seen_from_path(core::Error error) {
  if (error.code == core::Code::kInvalidTaskId && error.field == "id") error.code = core::Code::kTaskNotFound;
  return error;
}

}  // namespace

Response shaped(AnswerShape const& shape, api::Answer answer) {
  if (!answer) {
    auto& error = answer.error();
    return refusal(api::names_task(*shape.operation) ? seen_from_path(std::move(error)) : error,
                   shape.request_id);
  }
  Response out;
  out.status = shape.operation->status;
  out.body = *std::move(answer);
  if (auto const etag = etag_of(*shape.operation, out.body); !etag.empty()) {
    out.headers.emplace_back("ETag", etag);
    if (shape.operation->effect == api::Effect::read && shape.if_none_match == etag) {
      out.status = 304;
      return out;
    }
  }
  if (shape.operation->creates == api::Creates::task) {
    constexpr std::string_view kId = R"({"id":)";
    auto const id = number_after(std::string_view{out.body}.substr(0, 32), kId);
    out.headers.emplace_back("Location", "/api/v1/tasks/" + std::string{id});
  }
  if (shape.gzip && out.body.size() > kWorthCompressing) {
    out.body = gzipped(out.body);
    out.headers.emplace_back("Content-Encoding", "gzip");
    out.headers.emplace_back("Vary", "Accept-Encoding");
  }
  return out;
}

}  // namespace andon::http
