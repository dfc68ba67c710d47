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
    return row.hash == 0;  // nor could it be read before
  }
}

std::int64_t sum_of_names(Directory const& tasks) {
  std::uint64_t sum = 0;
  tasks.each_name([&](std::string_view name, std::int64_t inode) {
    sum += static_cast<std::uint64_t>(name_part(name, inode));
  });
  return static_cast<std::int64_t>(sum);
}

/// Whether nothing but the time says that the names are those that were seen last.
bool is_same_directory(BesideFiles const& beside, Stamp const& now) {
  return now.inode == beside.directory.inode && now.modified == beside.directory.modified &&
         now.changed == beside.directory.changed && now.modified < beside.directory_seen - kTick;
}

void compare(FileRow const& row, std::optional<Look> const& look, BoardFolder const& folder,
             core::Instant now, Difference& out) {
  if (!look) return out.gone.push_back(row);
  if (look->stamp != row.stamp) return out.to_read.push_back(row.name);
  if (is_doubtful(row)) {
    if (!has_same_content(row, folder.tasks(), kLongestTask)) return out.to_read.push_back(row.name);
    out.seen_again.push_back(row);
  }
  if (!folder.is_to_write()) return;
  bool const claimed = row.claim_end && *row.claim_end > now;
  bool const writable = (look->mode & kOwnerWrites) != 0;
  if (row.problem.empty() && claimed == writable) out.wrong_mode.push_back(row);
}

/// All files against all rows.
void compare_all(FileIndex& index, BoardFolder const& folder, core::Instant now, Difference& out) {
  std::unordered_map<std::string, FileRow> rows;
  for (auto& row : index.all()) {
    auto name = row.name;
    rows.emplace(std::move(name), std::move(row));
  }
  std::vector<FileRow> known;
  folder.tasks().each_name([&](std::string_view name, std::int64_t) {
    auto row = rows.extract(std::string{name});
    if (row.empty())
      out.to_read.emplace_back(name);
    else
      known.push_back(std::move(row.mapped()));
  });
  for (auto const& row : known) compare(row, folder.tasks().look(row.name), folder, now, out);
  for (auto& [name, row] : rows) out.gone.push_back(std::move(row));
  std::ranges::sort(out.to_read);
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

bool differs(FileRow const& row, BoardFolder const& folder, core::Instant now) {
  Difference found;
  compare(row, folder.tasks().look(row.name), folder, now, found);
  return !found.is_none();
}

bool names_differ(BesideFiles const& beside, BoardFolder const& folder) {
  auto const& tasks = folder.tasks();
  return !is_same_directory(beside, tasks.look().stamp) && sum_of_names(tasks) != beside.names;
}

bool watched_differ(FileIndex& index, BoardFolder const& folder, core::Instant now) {
  bool found = false;
  index.each_watched([&](FileRow const& row) { return !(found = differs(row, folder, now)); });
  return found;
}

Difference difference(FileIndex& index, BoardFolder const& folder, core::Instant now) {
  Difference out;
  out.beside = index.beside();
  out.settings = settings_differ(out.beside, folder);
  auto const& tasks = folder.tasks();
  if (auto const own = tasks.look().stamp; !is_same_directory(out.beside, own)) {
    auto const sum = sum_of_names(tasks);
    out.names_seen = true;
    out.beside.directory = own;
    out.beside.directory_seen = in_nanoseconds(now);
    if (std::exchange(out.beside.names, sum) != sum) {
      compare_all(index, folder, now, out);
      return out;
    }
  }
  index.each_watched([&](FileRow const& row) {
    compare(row, tasks.look(row.name), folder, now, out);
    return true;
  });
  return out;
}

}  // namespace andon::store::markdown
