#include "store/markdown/index/file_index.hpp"

#include <array>

namespace andon::store::markdown {
namespace {

using engine::FilesQuery;
using engine::FileValue;

constexpr std::string_view kTasksDir = "tasks_dir", kBegun = "begun";

struct Number {
  std::string_view name;
  std::int64_t& (*in)(IndexState&);
};
constexpr std::array kNumbers{
    Number{"names", [](IndexState& b) -> auto& { return b.names; }},
    Number{"directory_modified", [](IndexState& b) -> auto& { return b.directory.modified; }},
    Number{"directory_changed", [](IndexState& b) -> auto& { return b.directory.changed; }},
    Number{"directory_inode", [](IndexState& b) -> auto& { return b.directory.inode; }},
    Number{"directory_seen", [](IndexState& b) -> auto& { return b.directory_seen; }},
    Number{"settings_size", [](IndexState& b) -> auto& { return b.settings.stamp.size; }},
    Number{"settings_modified", [](IndexState& b) -> auto& { return b.settings.stamp.modified; }},
    Number{"settings_changed", [](IndexState& b) -> auto& { return b.settings.stamp.changed; }},
    Number{"settings_inode", [](IndexState& b) -> auto& { return b.settings.stamp.inode; }},
    Number{"settings_seen", [](IndexState& b) -> auto& { return b.settings.seen; }},
    Number{"settings_hash", [](IndexState& b) -> auto& { return b.settings.hash; }},
    Number{"next_id", [](IndexState& b) -> auto& { return b.next_id; }},
    Number{"filling", [](IndexState& b) -> auto& { return b.is_filling; }},
    Number{"published", [](IndexState& b) -> auto& { return b.published; }},
    Number{"settled", [](IndexState& b) -> auto& { return b.settled; }},
    Number{"swept", [](IndexState& b) -> auto& { return b.swept; }},
    Number{"settled_seen", [](IndexState& b) -> auto& { return b.settled_seen; }},
};

}  // namespace

bool is_doubtful(FileRow const& row) { return row.stamp.modified + tick_of(row.stamp.modified) > row.seen; }

bool FileIndex::exists() { return !files_.values(board_).empty(); }

void FileIndex::begin() { files_.write({.board = board_, .values = {{std::string{kBegun}, 1}}}); }

void FileIndex::remove_all() { files_.write({.board = board_, .forgets_all = true}); }

std::vector<FileRow> FileIndex::watched() {
  return files_.files({.board = board_, .kind = FilesQuery::Kind::watched});
}

std::vector<FileRow> FileIndex::settled() {
  return files_.files({.board = board_, .kind = FilesQuery::Kind::settled});
}

std::vector<FileRow> FileIndex::all() {
  return files_.files({.board = board_, .kind = FilesQuery::Kind::all});
}

std::optional<FileRow> FileIndex::named(std::string const& name) {
  auto found = files_.files({.board = board_, .kind = FilesQuery::Kind::named, .name = name});
  return found.empty() ? std::nullopt : std::optional{std::move(found.front())};
}

std::optional<FileRow> FileIndex::of_task(core::TaskId task) {
  auto found = files_.files({.kind = FilesQuery::Kind::of_task, .task = task});
  return found.empty() ? std::nullopt : std::optional{std::move(found.front())};
}

void FileIndex::put(FileRow const& row) { files_.write({.board = board_, .files = {row}}); }

void FileIndex::remove(std::string const& name) { files_.write({.board = board_, .removed = {name}}); }

std::vector<std::pair<std::string, std::string>> FileIndex::problems() {
  std::vector<std::pair<std::string, std::string>> out;
  auto rows = files_.files({.board = board_, .kind = FilesQuery::Kind::with_problem});
  for (auto& row : rows) out.emplace_back(std::move(row.name), std::move(row.problem));
  return out;
}

std::vector<core::TaskId> FileIndex::without_file() { return files_.tasks_without_file(board_); }

core::Epoch FileIndex::past_epoch(core::TaskId task) { return files_.past_epoch(task); }

void FileIndex::remember_epoch(core::TaskId task, core::Epoch epoch) {
  files_.write({.board = board_, .past_epochs = {{task, epoch}}});
}

IndexState FileIndex::beside() {
  IndexState out;
  auto const values = files_.values(board_);
  for (auto const& [name, value] : values) {
    if (auto const* text = std::get_if<std::string>(&value); text && name == kTasksDir) out.tasks_dir = *text;
    if (auto const* integer = std::get_if<std::int64_t>(&value))
      for (auto const& number : kNumbers)
        if (number.name == name) number.in(out) = *integer;
  }
  return out;
}

void FileIndex::put(IndexState const& beside) {
  auto before = this->beside();
  auto now = beside;
  std::vector<FileValue> changed;
  for (auto const& number : kNumbers)
    if (number.in(before) != number.in(now)) changed.emplace_back(number.name, number.in(now));
  if (before.tasks_dir != now.tasks_dir) changed.emplace_back(kTasksDir, now.tasks_dir);
  if (!changed.empty()) files_.write({.board = board_, .values = std::move(changed)});
}

std::int64_t name_part(std::string_view name, std::int64_t inode) {
  auto const mixed =
      static_cast<std::uint64_t>(hash_of(name)) ^ (static_cast<std::uint64_t>(inode) * 0x9E3779B97F4A7C15U);
  return static_cast<std::int64_t>(mixed * 0xD6E8FEB86659FD93U);
}

}  // namespace andon::store::markdown
