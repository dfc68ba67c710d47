#include "http/wire/refusal.hpp"

#include <algorithm>

#include "core/model/task.hpp"
#include "os/processes/log.hpp"
#include "reflect/json.hpp"

namespace andon::http {
namespace {

using core::Code;

void write_detail(core::Detail const& detail, std::string& out) {
  if (auto const* number = std::get_if<std::int64_t>(&detail)) {
    out += std::to_string(*number);
  } else if (auto const* text = std::get_if<std::string>(&detail)) {
    reflect::write_string(*text, out);
  } else {
    auto const& list = std::get<std::vector<std::string>>(detail);
    reflect::write_json(reflect::type_of<std::vector<std::string>>(), &list, out);
  }
}

std::string body_of(core::Error const& error, std::string const& request_id) {
  std::string out = R"({"error":)";
  reflect::write_string(error.message, out);
  out += R"(,"code":)";
  reflect::write_string(core::row(error.code).name, out);
  if (!error.field.empty()) {
    out += R"(,"field":)";
    reflect::write_string(error.field, out);
  }
  if (!error.details.empty() || error.current) {
    std::string separator = R"(,"details":{)";
    for (auto const& [name, detail] : error.details) {
      out += std::exchange(separator, ",");
      reflect::write_string(name, out);
      out += ':';
      write_detail(detail, out);
    }
    if (error.current) {
      // If a detail has the name `current` already (the number of tasks in a full column), the task gets
      // the name `task`.
      bool const is_taken =
          std::ranges::any_of(error.details, [](auto const& d) { return d.first == "current"; });
      out += separator + (is_taken ? R"("task":)" : R"("current":)");
      reflect::write_json(reflect::type_of<core::Task>(), error.current.get(), out);
    }
    out += '}';
  }
  out += R"(,"request_id":)";
  reflect::write_string(request_id, out);
  out += '}';
  return out;
}

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

/// Hides internal details, which only the log contains. An unknown result stays visible, because the caller
/// must look again.
core::Error without_inside(core::Error const& error) {
  bool const is_unknown =
      std::ranges::any_of(error.details, [](auto const& d) { return d.first == "result"; });
  if (!is_unknown) return {error.code, "something went wrong in the server; its log says more", {}, {}, {}};
  return {error.code,
          "it is unknown whether the change was kept: look again; the server's log says more",
          {},
          error.details,
          {}};
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
    out.body = body_of(without_inside(error), request_id);
    return out;
  }
  out.body = body_of(error, request_id);
  if (error.code == Code::kUnauthenticated) out.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (error.code == Code::kRateLimited || error.code == Code::kBusy || error.code == Code::kPickUnfinished)
    out.headers.emplace_back("Retry-After", retry_after(error));
  return out;
}

Response refusal(Code code, std::string message, std::string const& request_id) {
  return refusal(core::Error{code, std::move(message), {}, {}, {}}, request_id);
}

}  // namespace andon::http
