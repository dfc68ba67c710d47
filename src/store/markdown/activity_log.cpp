#include "store/markdown/activity_log.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>

#include "os/descriptor.hpp"
#include "os/file.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"
#include "store/markdown/scalar.hpp"

namespace andon::store::markdown {
namespace {

using core::Event;
using core::EventKind;
using core::Task;

constexpr std::ptrdiff_t kMostLines = 10'000;
/// A line is never shorter than this, so that a small file need not be counted.
constexpr std::size_t kShortestLine = 60;
constexpr std::size_t kLongestLog = 256U << 20U;

struct Action {
  std::string_view name;
  bool (*happened)(Event const&, Task const& before, Task const& after);
  std::string (*detail)(Event const&, Task const& before, Task const& after);
};

std::string title(Event const&, Task const&, Task const& after) { return after.title; }

/// In the order kanban-md writes them.
constexpr std::array kActions{
    Action{"create",
           [](Event const& e, Task const&, Task const&) { return e.kind == EventKind::task_created; },
           &title},
    Action{"handoff", [](Event const& e, Task const&, Task const&) { return e.data.contains("\"handoff\""); },
           &title},
    Action{"edit",
           [](Event const& e, Task const&, Task const&) {
             return e.kind == EventKind::task_edited || e.kind == EventKind::task_noted;
           },
           &title},
    Action{"block", [](Event const&, Task const& b, Task const& a) { return !b.blocked && a.blocked; },
           [](Event const&, Task const&, Task const& a) { return a.block_reason; }},
    Action{"unblock", [](Event const&, Task const& b, Task const& a) { return b.blocked && !a.blocked; },
           &title},
    Action{"claim",
           [](Event const& e, Task const& b, Task const& a) {
             return e.kind != EventKind::task_created && !a.claimed_by.empty() &&
                    a.claimed_by != b.claimed_by;
           },
           [](Event const&, Task const&, Task const& a) { return a.claimed_by; }},
    Action{"release",
           [](Event const&, Task const& b, Task const& a) {
             return !b.claimed_by.empty() && a.claimed_by.empty();
           },
           [](Event const&, Task const& b, Task const&) { return b.claimed_by; }},
    Action{"delete",
           [](Event const& e, Task const&, Task const&) { return e.kind == EventKind::task_deleted; },
           &title},
    Action{"move",
           [](Event const& e, Task const&, Task const&) {
             return !e.from.empty() && !e.to.empty() && e.kind != EventKind::task_deleted;
           },
           [](Event const& e, Task const&, Task const&) { return e.from + " -> " + e.to; }},
};

void cut(std::filesystem::path const& path) {
  auto const text = os::read_file(path, kLongestLog);
  auto surplus = std::ranges::count(text, '\n') - kMostLines;
  if (surplus <= 0) return;
  std::size_t at = 0;
  for (; surplus > 0; --surplus) at = text.find('\n', at) + 1;
  os::write_file(path, std::string_view{text}.substr(at));
}

}  // namespace

std::string activity_lines(Event const& event, Task const& before, Task const& after) {
  std::string out;
  for (auto const& action : kActions) {
    if (!action.happened(event, before, after)) continue;
    out += R"({"timestamp":")" + yaml_time(event.ts) + R"(","action":")" + std::string{action.name} +
           R"(","task_id":)" + std::to_string(after.id) + R"(,"detail":)";
    reflect::write_string(action.detail(event, before, after), out);
    out += "}\n";
  }
  return out;
}

void append_activity(BoardFolder const& folder, std::string const& lines) try {
  os::Descriptor const file{
      ::open(folder.activity().c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (!file) return;
  os::write_all(file, lines, folder.activity().native());
  std::error_code unknown;
  if (std::filesystem::file_size(folder.activity(), unknown) > kMostLines * kShortestLine && !unknown)
    cut(folder.activity());
} catch (os::SystemError const&) {
  return;
}

}  // namespace andon::store::markdown
