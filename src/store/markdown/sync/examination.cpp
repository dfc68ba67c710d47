#include "store/markdown/sync/examination.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <unistd.h>

#include "core/tasks/claim.hpp"
#include "os/data/file_lock.hpp"
#include "os/system_error.hpp"
#include "store/contract/store_error.hpp"
#include "store/markdown/files/index_place.hpp"
#include "store/markdown/files/reading_record.hpp"
#include "store/markdown/files/task_name.hpp"
#include "store/markdown/index/link_cycles.hpp"
#include "store/markdown/sync/difference.hpp"
#include "store/markdown/sync/repair.hpp"
#include "store/markdown/sync/task_file_state.hpp"
#include "store/markdown/yaml/board_settings.hpp"
#include "store/markdown/yaml/nesting.hpp"
#include "store/markdown/yaml/settings_migration.hpp"
#include "store/markdown/yaml/task_file.hpp"

namespace andon::store::markdown {
namespace {

using core::TaskId;

/// When these are repaired, the next examination reports others.
constexpr std::size_t kMostCycles = 20;

struct Seen {
  std::string name;
  core::Task task;
  FileStatus look;
};

/// Why the index cannot be used; no text when it can.
struct IndexTrouble {
  std::string text;
  bool is_newer = false;  ///< it was made by a newer version
};

class Examination {
 public:
  Examination(std::filesystem::path const& root, core::Instant now, engine::IndexOpener const& indexes)
      : root_(root), now_(now), indexes_(indexes) {}

  std::vector<Finding> run() {
    if (can_be_written()) open_index();
    if (has_own_folder()) read_left_out();
    look_at_settings();
    if (board_) look_at_tasks();
    if (index_ && board_) look_for_unnamed();
    look_at_own_folder();
    if (auto const holder = os::lock_holder(root_.path() / ".lock"))
      find(Finding::Kind::fact, "lock", "is held by process " + std::to_string(*holder) + " at this moment");
    return std::move(out_);
  }

 private:
  void find(Finding::Kind kind, std::string about, std::string text) {
    out_.push_back({kind, std::move(about), std::move(text)});
  }

  bool can_be_written() {
    if (::access(root_.path().c_str(), W_OK) == 0) return true;
    find(Finding::Kind::fact, "board",
         std::string{"cannot be written ("} + std::strerror(errno) + "); it is shown from its files alone");
    return false;
  }

  void read_left_out() try {
    left_out_ = LeftOutFiles{Directory(root_, ".andon")};
  } catch (os::SystemError const& error) {
    find(Finding::Kind::fault, ".andon/left-out", std::string{error.what()} + "; remove it");
  }

  /// Reading such a file again could end this program too.
  bool is_left_out(std::string_view name, std::string_view text, std::string const& shown) {
    if (!left_out_.has(name, text)) return false;
    find(Finding::Kind::fault, shown,
         "is left out, because the program ended twice while it read this file; change the file, or remove "
         ".andon/left-out and touch the file");
    return true;
  }

  void look_at_settings() {
    auto content = root_.read(kSettingsName, kLongestSettings);
    if (!content) return find(Finding::Kind::fault, kSettingsName, "is not there, so this is no board");
    if (is_left_out(kSettingsName, content->text, kSettingsName)) return;
    auto file = SettingsFile::parse(std::move(content->text), kSettingsName);
    if (!file) return find(Finding::Kind::fault, kSettingsName, file.error().message);
    auto const version = file->word({"version"});
    auto const migrated = migrate(*file);
    if (!migrated) return find(Finding::Kind::fault, kSettingsName, migrated.error().message);
    if (auto const checked = check_settings(*file); !checked)
      return find(Finding::Kind::fault, kSettingsName, checked.error().message);
    if (*migrated)
      find(Finding::Kind::repair, kSettingsName,
           "is version " + version + " and becomes " + std::to_string(kSettingsVersion));
    board_ = board_in(*file);
    auto const next = file->word({"next_id"});
    std::from_chars(next.data(), next.data() + next.size(), next_id_);
    tasks_dir_ = tasks_path(file->word({"tasks_dir"}));
  }

  void look_at_tasks() {
    if (!root_.look(tasks_dir_))
      return find(Finding::Kind::repair, tasks_dir_, "is not there and will be made");
    Directory const tasks(root_, tasks_dir_);
    std::vector<std::string> listed;
    tasks.each_name([&](std::string_view name, std::int64_t) { listed.emplace_back(name); });
    std::ranges::sort(listed);
    for (auto const& name : listed) read(tasks, name);
    look_at_columns();
    look_at_nesting();
    look_for_cycles();
    look_at_numbers();
    look_at_modes();
    if (next_id_ <= highest_)
      find(Finding::Kind::repair, kSettingsName,
           "next_id is " + std::to_string(next_id_) + " and becomes " + std::to_string(highest_ + 1));
    find(Finding::Kind::fact, tasks_dir_,
         std::to_string(listed.size()) + " files, " + std::to_string(seen_.size()) + " tasks");
  }

  void read(Directory const& tasks, std::string const& name) {
    auto const shown = tasks_dir_ + "/" + name;
    highest_ = std::max<std::int64_t>(highest_, number_in_name(name).value_or(0));
    try {
      auto content = tasks.read(name, kLongestTask);
      if (!content || is_left_out(name, content->text, shown)) return;
      auto const file = FrontMatter::parse(std::move(content->text), shown);
      auto task = file ? task_in(*file, *board_, shown) : std::unexpected(file.error());
      if (!task) return find(Finding::Kind::fault, shown, task.error().message);
      highest_ = std::max<std::int64_t>(highest_, task->id);
      seen_.push_back({name, *std::move(task), content->look});
    } catch (os::SystemError const& error) {
      auto const look = tasks.look(name);
      bool const is_other = look && !look->is_file;
      find(Finding::Kind::fault, shown, is_other ? "is a link or no file; it is not followed" : error.what());
    }
  }

  void look_at_nesting() {
    std::map<TaskId, std::optional<TaskId>> parents;
    for (auto const& each : seen_) parents.emplace(each.task.id, each.task.parent);
    auto const parent_of = [&](TaskId id) {
      auto const found = parents.find(id);
      return found == parents.end() ? std::nullopt : found->second;
    };
    for (auto const& each : seen_)
      if (is_nested_too_deep(each.task.id, 0, parent_of))
        find(Finding::Kind::fault, tasks_dir_ + "/" + each.name, std::string{kTooDeep});
  }

  void look_at_columns() {
    for (auto const& each : seen_)
      if (!core::find_place(*board_, each.task.status))
        find(Finding::Kind::fault, tasks_dir_ + "/" + each.name,
             "has the status \"" + each.task.status + "\", which is no column of " +
                 std::string{kSettingsName} + "; give it one of them");
  }

  void look_for_cycles() {
    Links parents, waits;
    for (auto const& each : seen_) {
      auto const& task = each.task;
      if (task.parent) parents[task.id] = {*task.parent};
      if (!task.depends_on.empty()) waits[task.id] = task.depends_on;
    }
    tell_cycles(parents, "parent");
    tell_cycles(waits, "depends_on");
  }

  void tell_cycles(Links const& links, std::string const& key) {
    for (auto const& cycle : cycles_in(links, kMostCycles)) {
      std::string way;
      for (auto const id : cycle) way += (way.empty() ? "#" : " → #") + std::to_string(id);
      auto const first =
          std::ranges::find(seen_, cycle.front(), [](Seen const& seen) { return seen.task.id; });
      find(Finding::Kind::fault, tasks_dir_ + "/" + first->name,
           "its \"" + key + "\" leads back to it: " + way + "; take one of them out");
    }
  }

  void look_at_numbers() {
    std::map<FileNumber, std::vector<std::string>> names;
    for (auto const& each : seen_) {
      auto& same = names[as_number(each.task.id)];
      same.insert(is_known(each) ? same.begin() : same.end(), each.name);
    }
    auto fresh = std::max(next_id_, highest_ + 1);
    for (auto& each : seen_) {
      auto const told = as_number(each.task.id);
      auto const keeps = each.name == keeper_of(told, names[told]);
      auto const number = keeps ? told : FileNumber{fresh++};
      if (number != told)
        find(Finding::Kind::repair, tasks_dir_ + "/" + each.name,
             "becomes " + repaired_name(number, each.task.title) + ", for another file has the number " +
                 std::to_string(told));
      else if (number_in_name(each.name) != number)
        find(Finding::Kind::repair, tasks_dir_ + "/" + each.name,
             "becomes " + repaired_name(number, each.task.title) + ", for it is task #" +
                 std::to_string(number));
      highest_ = std::max<std::int64_t>(highest_, number);
    }
  }

  /// Reports tasks in the index that no file contains, and files whose number has changed.
  void look_for_unnamed() {
    FileIndex files{index_->files()};
    for (auto const id : files.without_file())
      find(Finding::Kind::repair, "index",
           "knows task #" + std::to_string(id) + ", which no file tells, and forgets it");
    for (auto const& row : files.all())
      if (auto const seen = std::ranges::find(seen_, row.name, &Seen::name);
          row.task && seen != seen_.end() && seen->task.id != *row.task)
        find(Finding::Kind::repair, tasks_dir_ + "/" + row.name,
             "was task #" + std::to_string(*row.task) + " and is task #" + std::to_string(seen->task.id) +
                 " now");
  }

  void look_at_modes() {
    for (auto const& each : seen_)
      if ((mode_of(each.task, now_) & kOwnerWrites) != (each.look.mode & kOwnerWrites))
        find(Finding::Kind::repair, tasks_dir_ + "/" + each.name,
             core::is_claimed(each.task, now_) ? "is held, and becomes read-only"
                                               : "is held by nobody, and becomes writable");
  }

  /// Whether the index has exactly this file for the task. Then a file that came later does not get its
  /// number.
  bool is_known(Seen const& each) {
    if (!index_) return false;
    auto const row = FileIndex{index_->files()}.of_task(each.task.id);
    return row && row->name == each.name && row->stamp == each.look.stamp;
  }

  bool has_own_folder() const {
    return std::filesystem::is_directory(std::filesystem::symlink_status(own()));
  }
  std::filesystem::path own() const { return root_.path() / ".andon"; }

  void look_at_own_folder() {
    if (!root_.look(".andon"))
      return find(Finding::Kind::fact, "index", "there is none yet; the next command makes it");
    if (!has_own_folder())
      return find(Finding::Kind::fault, ".andon", "is not a directory of this board; remove it");
    std::error_code none;
    if (auto const size = std::filesystem::file_size(own() / "intent", none); !none && size > 0)
      find(Finding::Kind::repair, ".andon/intent",
           "tells of a write that was not finished; it is finished, or undone");
    if (!trouble_.text.empty())
      find(trouble_.is_newer ? Finding::Kind::fault : Finding::Kind::repair, "index", trouble_.text);
    else
      find(Finding::Kind::fact, "index",
           index_ ? "is whole" : "there is none that was made here; the next command makes it");
  }

  void open_index() {
    if (!has_own_folder()) return;
    IndexPlace const place{own()};
    try {
      place.refuse_network();
    } catch (StoreError const& error) {
      return find(Finding::Kind::fault, "index", error.what());
    }
    if (!place.is_there()) return;
    try {
      auto session = indexes_.examine(place.file());
      if (!session)
        trouble_.text = "was made by an older version; it is brought up to this one";
      else if (!FileIndex{session->files()}.exists())
        trouble_.text = "is half made; the files are read again";
      else
        index_ = std::move(session);
    } catch (StoreError const& error) {
      trouble_.is_newer = error.kind() == StoreError::Kind::newer_schema;
      trouble_.text = error.what() + std::string{trouble_.is_newer ? "" : "; it is made anew from the files"};
    }
  }

  Directory root_;
  core::Instant now_;
  engine::IndexOpener const& indexes_;
  std::optional<core::Board> board_;
  std::string tasks_dir_;
  std::int64_t next_id_ = 1;
  std::int64_t highest_ = 0;
  std::vector<Seen> seen_;
  std::unique_ptr<engine::Session> index_;
  IndexTrouble trouble_;
  LeftOutFiles left_out_;
  std::vector<Finding> out_;
};

}  // namespace

std::vector<Finding> examine(std::filesystem::path const& root, core::Instant now,
                             engine::IndexOpener const& indexes) try {
  return Examination{root, now, indexes}.run();
} catch (os::SystemError const& error) {
  return {{Finding::Kind::fault, "board", error.what()}};
}

}  // namespace andon::store::markdown
