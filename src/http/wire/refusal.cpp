#include "http/wire/refusal.hpp"

#include "api/error_json.hpp"
#include "os/processes/log.hpp"

namespace andon::http {
namespace {

using core::Code;

/// `wip=3,blocked=1`: the number of tasks passed over, by reason.
std::string skipped(core::Error const& error) {
  std::string out;
  for (auto const& [name, detail] : error.details)
    if (auto const* number = std::get_if<std::int64_t>(&detail))
      out += (out.empty() ? "" : ",") + name + "=" + std::to_string(*number);
  return out;
}

std::string retry_after(core::Error const& error) {
  for (auto const& [name, detail] : error.details)
    if (auto const* seconds = std::get_if<std::int64_t>(&detail); seconds && name == "retry_after")
      return std::to_string(*seconds);
  return "1";
}

}  // namespace

Response refusal(core::Error const& error, std::string const& request_id) {
  Response out;
  out.status = core::row(error.code).http;
  if (error.code == Code::kNothingToPick) {
    if (auto text = skipped(error); !text.empty()) out.headers.emplace_back("Andon-Skipped", std::move(text));
    return out;
  }
  if (error.code == Code::kInternalError) {
    os::log(os::Level::error, "request " + request_id + ": " + error.message);
    out.body = api::error_json(api::without_inside(error), request_id);
    return out;
  }
  out.body = api::error_json(error, request_id);
  if (error.code == Code::kUnauthenticated) out.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (error.code == Code::kRateLimited || error.code == Code::kBusy || error.code == Code::kPickUnfinished)
    out.headers.emplace_back("Retry-After", retry_after(error));
  return out;
}

Response refusal(Code code, std::string message, std::string const& request_id) {
  return refusal(core::Error{code, std::move(message), {}, {}, {}}, request_id);
}

}  // namespace andon::http
