#include "core/tasks/pick.hpp"

#include <algorithm>
#include <limits>

#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "core/tasks/claim.hpp"

namespace andon::core {
namespace {

constexpr int kLast = std::numeric_limits<int>::max();

std::vector<std::string_view> segments(std::string_view glob) {
  std::vector<std::string_view> out;
  while (!glob.empty()) {
    auto const slash = glob.find('/');
    auto const part = glob.substr(0, slash);
    if (!part.empty() && part != ".") out.push_back(part);
    if (slash == std::string_view::npos) break;
    glob.remove_prefix(slash + 1);
  }
  return out;
}

bool has_wildcard(std::string_view segment) { return segment.find_first_of("*?[") != std::string_view::npos; }

/// Whether a segment of a pattern may match more than one segment of a path: `**`, alternatives in braces.
bool may_span(std::string_view segment) {
  return segment.find("**") != std::string_view::npos ||
         segment.find_first_of("{\\") != std::string_view::npos;
}

/// Two segments can be equal unless their fixed beginnings or ends differ.
bool segments_overlap(std::string_view a, std::string_view b) {
  if (!has_wildcard(a) && !has_wildcard(b)) return a == b;
  for (std::size_t i = 0;; ++i) {
    if (i == a.size() || i == b.size() || has_wildcard(a.substr(i, 1)) || has_wildcard(b.substr(i, 1))) break;
    if (a[i] != b[i]) return false;
  }
  for (std::size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
    char const x = a[a.size() - i], y = b[b.size() - i];
    if (has_wildcard({&x, 1}) || has_wildcard({&y, 1}) || x == ']' || y == ']') break;
    if (x != y) return false;
  }
  if (!has_wildcard(a)) return a.size() >= b.substr(0, b.find_first_of("*?[")).size();
  if (!has_wildcard(b)) return b.size() >= a.substr(0, a.find_first_of("*?[")).size();
  return true;
}

using Segments = std::vector<std::string_view>;

bool paths_overlap(Segments const& a, Segments const& b) {
  auto const climbs = [](Segments const& path) { return std::ranges::find(path, "..") != path.end(); };
  if (climbs(a) || climbs(b)) return true;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {  // a folder covers what is below it
    if (may_span(a[i]) || may_span(b[i])) return true;
    if (!segments_overlap(a[i], b[i])) return false;
  }
  return true;
}

std::string lane_of_read(Task const& task) {
  if (!task.assignee.empty()) return "w:" + task.assignee;
  return task.role.empty() ? "" : "r:" + task.role;
}

}  // namespace

PickKey pick_key(Board const& board, Task const& task) {
  auto const by_class = class_index(board, task.class_.empty() ? kStandard : std::string_view{task.class_});
  auto const standard = class_index(board, kStandard).value_or(0);
  auto const by_priority = priority_index(board, task.priority);
  PickKey key;
  key.class_rank = static_cast<int>(by_class.value_or(standard));
  if (task.class_ == kFixedDate)
    key.due = task.due ? static_cast<int>(task.due->day.time_since_epoch().count()) : kLast;
  key.priority_rank = by_priority ? static_cast<int>(board.priorities.size() - 1 - *by_priority) : kLast;
  key.rank = task.rank;
  key.id = task.id;
  return key;
}

PreferredPickKey pick_key(Board const& board, Task const& task, std::string_view class_first) {
  auto const preferred = class_first.empty() ? std::nullopt : class_index(board, class_first);
  auto key = pick_key(board, task);
  bool const is_of_other_class = preferred && key.class_rank != static_cast<int>(*preferred);
  return {is_of_other_class, std::move(key)};
}

std::optional<Instant> pickable_from(Task const& task) {
  if (is_terminal(task.stage) || task.blocked || task.state.open_deps > 0) return std::nullopt;
  Instant from = task.not_before.value_or(Instant{});
  if (task.claimed_by.empty()) return from;
  if (!task.claim_expires) return std::nullopt;
  return std::max(from, *task.claim_expires);
}

bool needs_reader(Board const& board) { return is_attached(board) && !trusts_files(board); }
bool is_unread(Board const& board, Task const& task) { return !task.approved && needs_reader(board); }

std::string unread(std::string const& queue_key) { return "u:" + queue_key; }

std::string queue_key(Board const& board, Task const& task) {
  auto out = lane_of_read(task);
  return is_unread(board, task) ? unread(out) : out;
}

std::vector<std::string> queue_keys(Board const& board, Picker const& picker) {
  std::vector<std::string> out;
  out.push_back("w:" + picker.name);
  if (!picker.role.empty()) out.push_back("r:" + picker.role);
  if (picker.takes_unassigned) out.emplace_back();
  for (auto const& person : picker.persons)
    if (person != picker.name) out.push_back("w:" + person);
  if (!picker.takes_unread || !needs_reader(board)) return out;
  for (std::size_t n = out.size(), i = 0; i < n; ++i) out.push_back(unread(out[i]));
  return out;
}

bool fits(Picker const& picker, Task const& task) {
  if (!task.assignee.empty())
    return task.assignee == picker.name ||
           std::ranges::find(picker.persons, task.assignee) != picker.persons.end();
  if (!task.role.empty()) return task.role == picker.role;
  return picker.takes_unassigned;
}

bool globs_overlap(std::string_view a, std::string_view b) { return paths_overlap(segments(a), segments(b)); }

bool any_overlap(std::vector<std::string> const& a, std::vector<std::string> const& b) {
  return std::ranges::any_of(a, [&](auto const& x) {
    return std::ranges::any_of(b, [&](auto const& y) { return globs_overlap(x, y); });
  });
}

}  // namespace andon::core
