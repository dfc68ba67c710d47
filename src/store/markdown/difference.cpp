#include "store/markdown/difference.hpp"

#include <algorithm>
#include <unordered_map>

#include "os/system_error.hpp"

namespace andon::store::markdown {
namespace {

constexpr mode_t kOwnerWrites = 0200;

bool has_same_content(FileRow const& row, Directory const& directory, std::size_t limit) {
  try {
    auto const content = directory.read(row.name, limit);
    return content && hash_of(content->text) == row.hash;
  } catch (os::SystemError const&) {
    return false;
  }
}

std::int64_t sum_of(std::vector<Listed> const& listed) {
  std::uint64_t sum = 0;
  for (auto const& [name, inode] : listed) sum += static_cast<std::uint64_t>(name_part(name, inode));
  return static_cast<std::int64_t>(sum);
}

void compare(FileRow const& row, std::optional<Look> const& look, Directory const& tasks, core::Instant now,
             Difference& out) {
  if (!look) return out.gone.push_back(row);
  if (look->stamp != row.stamp) return out.to_read.push_back(row.name);
  if (is_doubtful(row)) {
    if (!has_same_content(row, tasks, kLongestTask)) return out.to_read.push_back(row.name);
    out.seen_again.push_back(row);
  }
  bool const claimed = row.claim_end && *row.claim_end > now;
  bool const writable = (look->mode & kOwnerWrites) != 0;
  if (row.problem.empty() && claimed == writable) out.wrong_mode.push_back(row);
}

/// All files against all rows.
void compare_all(FileIndex& index, std::vector<Listed> const& listed, Directory const& tasks,
                 core::Instant now, Difference& out) {
  std::unordered_map<std::string, FileRow> rows;
  for (auto& row : index.all()) {
    auto name = row.name;
    rows.emplace(std::move(name), std::move(row));
  }
  for (auto const& [name, inode] : listed) {
    auto const row = rows.find(name);
    if (row == rows.end()) {
      out.to_read.push_back(name);
      continue;
    }
    compare(row->second, tasks.look(name), tasks, now, out);
    rows.erase(row);
  }
  for (auto& [name, row] : rows) out.gone.push_back(std::move(row));
}

}  // namespace

std::int64_t in_nanoseconds(core::Instant at) { return at.time_since_epoch().count() * 1'000'000; }

bool settings_differ(BesideFiles const& beside, BoardFolder const& folder) {
  auto const look = folder.root().look(kSettingsName);
  if (!look) return beside.settings.seen != 0;
  if (look->stamp != beside.settings.stamp) return true;
  auto row = beside.settings;
  row.name = kSettingsName;
  return is_doubtful(row) && !has_same_content(row, folder.root(), kLongestSettings);
}

bool differs(FileRow const& row, Directory const& tasks) {
  auto const look = tasks.look(row.name);
  if (!look || look->stamp != row.stamp) return true;
  return is_doubtful(row) && !has_same_content(row, tasks, kLongestTask);
}

Difference difference(FileIndex& index, BoardFolder const& folder, core::Instant now) {
  Difference out;
  out.beside = index.beside();
  out.settings = settings_differ(out.beside, folder);
  auto const& tasks = folder.tasks();
  auto const own = tasks.look().stamp;
  bool const same_directory =
      own.inode == out.beside.directory.inode && own.modified == out.beside.directory.modified &&
      own.changed == out.beside.directory.changed && own.modified < out.beside.directory_seen - 20'000'000;
  if (!same_directory) {
    auto const listed = tasks.names();
    auto const sum = sum_of(listed);
    out.names_seen = true;
    out.beside.directory = own;
    out.beside.directory_seen = in_nanoseconds(now);
    if (std::exchange(out.beside.names, sum) != sum) {
      compare_all(index, listed, tasks, now, out);
      return out;
    }
  }
  for (auto const& row : index.watched()) compare(row, tasks.look(row.name), tasks, now, out);
  return out;
}

}  // namespace andon::store::markdown
