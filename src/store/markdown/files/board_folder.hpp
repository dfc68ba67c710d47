#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "store/markdown/files/directory.hpp"

namespace andon::store::markdown {

inline constexpr char kSettingsName[] = "config.yml";
inline constexpr std::size_t kLongestSettings = 1U << 20U;
inline constexpr std::size_t kLongestTask = 1U << 20U;

enum class Access { write, read };

/// The directory that `tasks_dir` names, without `.` and detours.
std::filesystem::path tasks_path(std::string const& name);

/// The directories of a board: its own, the one of its tasks, and `.andon` with what git does not keep.
class BoardFolder {
 public:
  /// Makes what is missing of `.andon`. One that is only read makes nothing, and has neither `own` nor
  /// `fresh`.
  explicit BoardFolder(std::filesystem::path const& root, Access access = Access::write, Calls calls = {});

  /// Whether the board's files may be changed; otherwise they are taken as they are.
  bool is_to_write() const { return own_.has_value(); }
  Directory const& root() const { return root_; }
  Directory const& own() const { return *own_; }
  /// New files before they are moved to their place.
  Directory const& fresh() const { return *fresh_; }
  bool has_tasks() const { return tasks_.has_value(); }
  Directory const& tasks() const { return *tasks_; }
  /// Opens the directory of tasks, again when another one is there now: git removes and makes directories.
  /// One that is missing is made, or there are no tasks. Refuses a way out of the board.
  void open_tasks(std::string const& name);

  /// Whether the paths still lead to the directories that were opened.
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
  std::optional<Directory> tasks_;
  std::string tasks_name_;
};

}  // namespace andon::store::markdown
