#include "store/markdown/index/activity_log.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <unistd.h>

#include "os/files/descriptor.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"
#include "store/markdown/yaml/scalar.hpp"

namespace andon::store::markdown {
namespace {

using core::Event;
using core::EventKind;

constexpr std::ptrdiff_t kMostLines = 10'000;
/// No line is shorter than this many bytes, so the lines of a small file need not be counted.
constexpr std::size_t kShortestLine = 60;
constexpr std::size_t kLongestLog = 256U << 20U;

struct Action {
  std::string_view name;
  bool (*happened)(Event const&, Acted const&);
  std::string (*detail)(Event const&, Acted const&);
};

std::string title(Event const&, Acted const& acted) { return acted.task.title; }

/// A member of the event's data that is a text; empty when there is none.
std::string fact(Event const& event, std::string_view name) {
  auto const data = reflect::parse_json(event.data);
  auto const* value = data && data->is_object() ? data->get_object().if_contains(name) : nullptr;
  return value && value->is_string() ? std::string{value->get_string()} : std::string{};
}

/// Whether the event is an edit in the log. Changes that the engine makes itself, such as counting sub-tasks,
/// carry no title and do not count.
bool is_edit(Event const& event, Acted const& acted) {
  bool const may_be = event.kind == EventKind::task_edited || event.kind == EventKind::task_moved;
  if (event.kind == EventKind::task_noted) return !acted.is_handed_off;
  return may_be && event.data.contains("\"title\":");
}

bool is_handoff(Event const& event) { return event.data.contains("\"handoff\":"); }

/// Whether the event is a block in the log. A handoff of a blocked task counts even when the task was blocked
/// before.
bool is_block(Event const& event, Acted const& acted) {
  return is_handoff(event) ? acted.task.blocked
                           : event.kind == EventKind::task_blocked && !acted.is_handed_off;
}

bool is_move(Event const& event, Acted const&) {
  return !event.from.empty() && !event.to.empty() && event.kind != EventKind::task_deleted;
}

template <EventKind Kind>
bool is(Event const& event, Acted const&) {
  return event.kind == Kind;
}

/// In the order in which kanban-md writes them.
constexpr std::array kActions{
    Action{"create", &is<EventKind::task_created>, &title},
    Action{"handoff", [](Event const& e, Acted const&) { return is_handoff(e); }, &title},
    Action{"edit", &is_edit, &title},
    Action{"block", &is_block, [](Event const&, Acted const& a) { return a.task.block_reason; }},
    Action{"unblock", &is<EventKind::task_unblocked>, &title},
    Action{"claim", &is<EventKind::task_claimed>, [](Event const& e, Acted const&) { return fact(e, "by"); }},
    Action{"release", &is<EventKind::task_released>,
           [](Event const& e, Acted const& a) { return a.is_handed_off ? a.task.title : fact(e, "by"); }},
    Action{"delete", &is<EventKind::task_deleted>, &title},
    Action{"move", &is_move, [](Event const& e, Acted const&) { return e.from + " -> " + e.to; }},
};

void cut(std::filesystem::path const& path) {
  auto const text = os::read_file(path, kLongestLog);
  auto surplus = std::ranges::count(text, '\n') - kMostLines;
  if (surplus <= 0) return;
  std::size_t at = 0;
  for (; surplus > 0; --surplus) at = text.find('\n', at) + 1;
  os::write_file(path, std::string_view{text}.substr(at));
}

/// Whether the file ends with a line end. A write that was cut off, or an editor, may leave the last line
/// without one.
bool ends_in_a_line(os::Descriptor const& file) {
  char last = '\n';
  auto const end = ::lseek(file.get(), 0, SEEK_END);
  return end <= 0 || ::pread(file.get(), &last, 1, end - 1) != 1 || last == '\n';
}

void append_lines(std::filesystem::path const& path, std::string const& lines) {
  os::Descriptor const file{::open(
      path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600)};
  if (!file) return;
  os::write_all(file, (ends_in_a_line(file) ? "" : "\n") + lines, path.native());
  std::error_code unknown;
  if (std::filesystem::file_size(path, unknown) > kMostLines * kShortestLine && !unknown) cut(path);
}

}  // namespace

std::string activity_lines(Event const& event, Acted const& acted) {
  std::string out;
  for (auto const& action : kActions) {
    if (!action.happened(event, acted)) continue;
    out += R"({"timestamp":")" + yaml_time(event.ts) + R"(","action":")" + std::string{action.name} +
           R"(","task_id":)" + std::to_string(acted.task.id) + R"(,"detail":)";
    reflect::write_string(action.detail(event, acted), out);
    out += "}\n";
  }
  return out;
}

void append_activity(BoardFolder const& folder, std::string const& lines) try {
  folder.root().on_its_thread([path = folder.activity(), lines] { append_lines(path, lines); });
} catch (os::SystemError const&) {
  return;
}

}  // namespace andon::store::markdown
