#include "api/error_json.hpp"

#include <algorithm>
#include <utility>

#include "core/model/task.hpp"
#include "reflect/json.hpp"

namespace andon::api {
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

}  // namespace

std::string error_json(core::Error const& error, std::string_view request_id) {
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
  if (!request_id.empty()) {
    out += R"(,"request_id":)";
    reflect::write_string(request_id, out);
  }
  out += '}';
  return out;
}

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

}  // namespace andon::api
