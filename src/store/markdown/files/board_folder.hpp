#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "store/markdown/files/directory.hpp"
#include "store/markdown/files/reading_record.hpp"

namespace andon::store::markdown {

inline constexpr char kSettingsName[] = "config.yml";
inline constexpr std::size_t kLongestSettings = 1U << 20U;
inline constexpr std::size_t kLongestTask = 1U << 20U;

enum class Access { write, read };

/// The directory that `tasks_dir` names, without `.` and detours such as `a/..`.
std::filesystem::path tasks_path(std::string const& name);

/// The directories of a board: its root, its tasks, and `.andon` for files that git does not keep.
class BoardFolder {
 public:
  /// Opens the directories and creates missing parts of `.andon`. With `Access::read` it creates nothing and
  /// has neither `own` nor `fresh`.
  explicit BoardFolder(std::filesystem::path const& root, Access access = Access::write, Calls calls = {});

  /// Whether Andon may change the files of the board.
  bool is_to_write() const { return own_.has_value(); }
  Directory const& root() const { return root_; }
  Directory const& own() const { return *own_; }
  /// The directory of new files before they are moved to their places.
  Directory const& fresh() const { return *fresh_; }
  bool has_tasks() const { return tasks_.has_value(); }
  Directory const& tasks() const { return *tasks_; }
  /// Opens the directory of tasks. Opens it again when another directory has its path, because git removes
  /// and creates directories. With write access a missing directory is created, otherwise there are no tasks.
  /// Throws StoreError for a path that leads out of the board.
  void open_tasks(std::string const& name);

  /// Call before a file of the board is parsed. Refuses bytes on which an earlier process died.
  core::Result<ParsingOfFile> begin_parsing(std::string_view name, std::string_view text,
                                            std::string_view shown) const {
    return record_ ? record_->begin(name, text, shown) : ParsingOfFile{};
  }

  /// Whether the paths still lead to the opened directories.
  bool is_in_place() const;

  std::filesystem::path lock() const { return root_.path() / ".lock"; }
  std::filesystem::path activity() const { return root_.path() / "activity.jsonl"; }
  std::filesystem::path intent() const { return own().path() / "intent"; }
  std::filesystem::path highest_epoch() const { return own().path() / "epoch"; }

 private:
  void make_tasks(std::filesystem::path const& path) const;

  Directory root_;
  std::optional<Directory> own_;
  std::optional<Directory> fresh_;
  std::unique_ptr<ReadingRecord> record_;  ///< none without `own`
  std::optional<Directory> tasks_;
  std::string tasks_name_;
};

}  // namespace andon::store::markdown
