#include "cli/commands/history/activity_file.hpp"

#include <algorithm>

#include "cli/command_line/invocation.hpp"
#include "core/time/time.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestLog = 256U << 20U;

std::optional<json::object> entry_in(std::string_view line) {
  auto parsed = reflect::parse_json(line);
  if (!parsed || !parsed->is_object()) return std::nullopt;
  auto const& read = parsed->get_object();
  auto const* task = read.if_contains("task_id");
  if (!task || !task->is_number()) return std::nullopt;
  if (!core::parse_instant(text_of(read, "timestamp")) || text_of(read, "action").empty())
    return std::nullopt;
  return json::object{{"timestamp", text_of(read, "timestamp")},
                      {"action", text_of(read, "action")},
                      {"task_id", *task},
                      {"detail", text_of(read, "detail")}};
}

bool is_wanted(json::object const& entry, ActivityFilter const& filter) {
  if (!filter.action.empty() && text_of(entry, "action") != filter.action) return false;
  if (filter.task && entry.at("task_id") != json::value(*filter.task)) return false;
  return !filter.since || *core::parse_instant(text_of(entry, "timestamp")) >= *filter.since;
}

}  // namespace

core::Result<json::array> read_activity(std::filesystem::path const& file, ActivityFilter const& filter) try {
  auto const text = os::read_file_if_there(file, kLongestLog).value_or("");
  json::array out;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\n', at), text.size());
    auto entry = entry_in(std::string_view{text}.substr(at, end - at));
    if (entry && is_wanted(*entry, filter)) out.push_back(*std::move(entry));
    at = end + 1;
  }
  if (filter.last && out.size() > *filter.last)
    out.erase(out.begin(), out.end() - static_cast<std::ptrdiff_t>(*filter.last));
  return out;
} catch (os::SystemError const& error) {
  return core::refuse(core::Code::kInternalError, error.what());
}

}  // namespace andon::cli
