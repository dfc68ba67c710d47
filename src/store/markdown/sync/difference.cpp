#include "store/markdown/sync/difference.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "os/system_error.hpp"

namespace andon::store::markdown {
namespace {

/// Comparing this many archived files takes less than 2 ms.
constexpr std::int64_t kFewSettled = 1000;
/// In nanoseconds. When there are more archived files, the next comparison is put off by `kLookAgain` and by
/// `kLookAgainEach` per further file. Comparing one file takes 1.5 us.
constexpr std::int64_t kLookAgain = 100'000'000, kLookAgainEach = 30'000;

bool has_same_content(FileRow const& row, Directory const& directory, std::size_t limit) {
  try {
    auto const content = directory.read(row.name, limit);
    return content && hash_of(content->text) == row.hash;
  } catch (os::SystemError const&) {
    return row.hash == 0;  // it could not be read before either
  }
}

std::int64_t sum_of_names(Directory const& tasks) {
  std::uint64_t sum = 0;
  tasks.each_name([&](std::string_view name, std::int64_t inode) {
    sum += static_cast<std::uint64_t>(name_part(name, inode));
  });
  return static_cast<std::int64_t>(sum);
}

/// Whether the stamp alone proves that the names are those of the last listing.
bool is_same_directory(IndexState const& beside, Stamp const& now) {
  return now.inode == beside.directory.inode && now.modified == beside.directory.modified &&
         now.changed == beside.directory.changed &&
         now.modified < beside.directory_seen - tick_of(now.modified);
}

void compare(FileRow const& row, std::optional<FileStatus> const& look, BoardFolder const& folder,
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

/// The number of files per call. Where calls run on a thread of their own, each call takes a while.
constexpr std::size_t kLookedAtOnce = 1000;

void compare(std::span<FileRow const> rows, BoardFolder const& folder, core::Instant now, Difference& out) {
  while (!rows.empty()) {
    auto const some = rows.first(std::min(rows.size(), kLookedAtOnce));
    rows = rows.subspan(some.size());
    std::vector<std::string> names;
    for (auto const& row : some) names.push_back(row.name);
    auto const looks = folder.tasks().look(std::move(names));
    for (std::size_t i = 0; i < some.size(); ++i) compare(some[i], looks[i], folder, now, out);
  }
}

/// Compares all files with all rows.
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
  compare(known, folder, now, out);
  for (auto& [name, row] : rows) out.gone.push_back(std::move(row));
  std::ranges::sort(out.to_read);
}

/// Compares all archived files. Records the time of the comparison when there are many.
void add_settled(FileIndex& index, BoardFolder const& folder, core::Instant now, Difference& out) {
  auto const rows = index.settled();
  for (auto const& row : rows) compare(row, folder.tasks().look(row.name), folder, now, out);
  auto const count = static_cast<std::int64_t>(rows.size());
  out.all_seen = count > kFewSettled;
  if (out.all_seen || out.beside.settled > kFewSettled) out.beside.settled = count;
  if (out.all_seen) out.beside.settled_seen = in_nanoseconds(now);
}

void add_suspects(FileIndex& index, std::set<std::string> const& suspects, Difference& out) {
  auto const is_known = [&](std::string const& name) {
    return std::ranges::find(out.to_read, name) != out.to_read.end() ||
           std::ranges::find(out.gone, name, &FileRow::name) != out.gone.end();
  };
  for (auto const& name : suspects)
    if (!is_known(name) && index.named(name)) out.to_read.push_back(name);
}

}  // namespace

bool settings_differ(IndexState const& beside, BoardFolder const& folder) {
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

bool names_differ(IndexState const& beside, BoardFolder const& folder) {
  auto const& tasks = folder.tasks();
  return !is_same_directory(beside, tasks.look().stamp) && sum_of_names(tasks) != beside.names;
}

bool is_settled_due(IndexState const& beside, core::Instant now) {
  if (beside.settled <= kFewSettled) return true;
  auto const since = in_nanoseconds(now) - beside.settled_seen;
  return since < 0 || since >= kLookAgain + (beside.settled - kFewSettled) * kLookAgainEach;
}

std::optional<std::string> changed_file(FileIndex& index, BoardFolder const& folder, core::Instant now) {
  auto const first_of = [&](std::vector<FileRow> const& rows) -> std::optional<std::string> {
    auto const found = std::ranges::find_if(rows, [&](auto const& row) { return differs(row, folder, now); });
    return found == rows.end() ? std::nullopt : std::optional{found->name};
  };
  if (auto found = first_of(index.watched())) return found;
  auto const beside = index.beside();
  if (!is_settled_due(beside, now)) return std::nullopt;
  if (beside.settled > kFewSettled) return std::string{};
  return first_of(index.settled());
}

Difference difference(FileIndex& index, BoardFolder const& folder, core::Instant now,
                      std::set<std::string> const& suspects) {
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
      add_suspects(index, suspects, out);
      return out;
    }
  }
  compare(index.watched(), folder, now, out);
  if (is_settled_due(out.beside, now)) add_settled(index, folder, now, out);
  add_suspects(index, suspects, out);
  return out;
}

}  // namespace andon::store::markdown
