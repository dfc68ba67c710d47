#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "os/processes/clock.hpp"
#include "os/processes/mutex.hpp"
#include "store/engine/external_source.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/files/board_lock.hpp"
#include "store/markdown/index/names_watch.hpp"
#include "store/markdown/index/numbering.hpp"
#include "store/markdown/index/publication.hpp"
#include "store/markdown/sync/difference.hpp"
#include "store/markdown/sync/postponed.hpp"
#include "store/markdown/sync/unit_files.hpp"
#include "store/markdown/sync/warnings.hpp"

namespace andon::store::markdown {

/// Names of files that differ from the index although their stamps do not. They are read again. Thread-safe.
class Suspects {
 public:
  void add(std::string const& name) {
    os::MutexLock const lock{mutex_};
    if (!name.empty()) names_.insert(name);
  }
  std::set<std::string> take() {
    os::MutexLock const lock{mutex_};
    return std::exchange(names_, {});
  }

 private:
  os::Mutex mutex_;
  std::set<std::string> names_ GUARDED_BY(mutex_);
};

/// A directory of files as the truth behind its index.
class BoardMirror final : public engine::ExternalSource {
 public:
  /// The clock and the warnings are not owned and must outlive the mirror.
  BoardMirror(std::filesystem::path const& root, os::Clock const& clock, Warnings& warnings,
              Numbering const& numbering = Numbering::same(), Access access = Access::write,
              Calls calls = {});

  BoardFolder const& folder() const { return folder_; }
  /// Whether files are missing that may come back, so that the directory must be compared again.
  bool is_missing_files() const { return !postponed_.missing.empty(); }
  /// Makes the next catch-up read the file again. Any thread may call it.
  void suspect(std::string const& name) { suspects_.add(name); }
  /// Opens the directory of tasks that the settings name.
  void open_tasks();

  std::string file_of(engine::FileTable& files, core::Board const& board, core::TaskId task) override;
  std::string seen_file_of(engine::FileTable& files, core::Board const& board, core::TaskId task) override;
  bool is_directory() const override { return !numbering_.is_attached(); }
  void refresh(engine::FileTable& files) override;
  void on_not_found(engine::FileTable& files, core::TaskId task) override;

  /// Whether the index has the present settings, the present names of the files and their present problems. A
  /// reader must check this first. Opens the directory of tasks.
  bool is_current(engine::FileTable& files);

  void begin(std::function<void()>) override {}
  void end() noexcept override {}
  bool is_in_use() const override { return true; }
  bool is_shared() const override { return true; }
  void enter() override;
  bool is_behind() override { return true; }
  bool catch_up(engine::Unit& tx) override;
  /// Applies foreign edits in a pass; false when there is more to do.
  bool catch_up(engine::Unit& tx, Pass pass);
  void take_back() override;
  /// Takes back all units of the batch except the first `first` ones.
  void take_back(std::size_t first);
  std::size_t published_units() const { return publication_ ? publication_->size() : 0; }
  void settle() noexcept override;
  void leave() noexcept override;
  void start_unit() override;
  bool publish(engine::Unit& tx) override;
  /// True when the files that the unit is to write are still as they were read.
  bool is_still_so() const { return unit_.is_still_so(); }

  void adding(engine::Unit& tx, core::Board& board) override;
  void putting(engine::Unit& tx, core::Board const& before, core::Board& board) override;
  void removing(engine::Unit& tx, core::Board const& board) override;
  void adding(engine::Unit& tx, core::Board const& board, core::Task& task) override;
  void putting(engine::Unit& tx, core::Board const& board, core::Task const& before, core::Task& task,
               bool with_body) override;
  void appending(engine::Unit& tx, core::Event const& event) override;
  void added(engine::Unit&, core::Board const&) override {}

 private:
  /// Opens the directory of tasks; false when the index does not have its name.
  bool open_known_tasks(IndexState const& beside);
  [[noreturn]] void look_again(std::string const& name);
  PendingTask& pending_of(engine::Unit& tx, core::Task const& before);
  [[noreturn]] void refuse(engine::Unit& tx, std::string const& why);
  void settle(PendingTask& pending, core::Task& task);
  void number(engine::Unit& tx, core::Board const& board, core::Task& task);
  std::string free_name(FileNumber number, std::string_view title);
  std::optional<ReadSettings> settings_in_files() const;
  SettingsFile& settings_to_change();
  void take_number(engine::Unit& tx, FileNumber number);
  FileNumber next_number(engine::Unit& tx);
  void recover(engine::Unit& tx, FileIndex& index);
  Publication& publication(engine::Unit& tx);
  bool publish_files(engine::Unit& tx);
  void note_published(FileIndex& index, IndexState& beside, std::vector<NewFile> const& files);

  BoardFolder folder_;
  os::Clock const& clock_;
  Warnings& warnings_;
  Numbering const numbering_;
  Postponed postponed_;
  BoardLock lock_;
  Suspects suspects_;
  std::optional<Publication> publication_;  ///< empty until the index is known
  std::string published_activity_;          ///< the log lines of the batch
  NamesWatch names_;
  bool is_syncing_ = false;
  UnitFiles unit_{folder_};
};

}  // namespace andon::store::markdown
