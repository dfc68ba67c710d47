#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "os/data/awaited_lock.hpp"
#include "os/files/directory_watch.hpp"
#include "os/processes/clock.hpp"
#include "store/markdown/sync/board_mirror.hpp"

namespace andon::store::markdown {

/// The attached boards of a server's store: boards whose truth is a directory of files. A unit of work takes
/// a board's lock at its first change there. The unit is run again when another program wrote to the files
/// meanwhile. Foreign edits are brought into the store soon after they happen, with events. A board whose
/// files cannot be used keeps its known tasks and takes no writes. `Board::trouble` holds the reason.
class AttachedBoards final : public engine::ExternalSource {
 public:
  /// `data` is the directory of the store, in which no board may lie; empty for a store in memory. The clock
  /// is not owned.
  AttachedBoards(std::filesystem::path data, os::Clock const& clock, OnWarning on_warning);
  ~AttachedBoards() override;

  std::string file_of(engine::FileTable& files, core::Board const& board, core::TaskId task) override;
  std::string seen_file_of(engine::FileTable& files, core::Board const& board, core::TaskId task) override {
    return file_of(files, board, task);
  }
  bool is_directory() const override { return false; }
  void refresh(engine::FileTable&) override {}
  void on_not_found(engine::FileTable&, core::TaskId) override {}

  void begin(std::function<void()> wake) override;
  void end() noexcept override;
  bool is_in_use() const override { return !boards_.empty(); }
  bool is_shared() const override { return false; }
  void enter() override;
  bool is_behind() override;
  bool catch_up(engine::Unit& tx) override;
  void take_back() override;
  void settle() noexcept override;
  void leave() noexcept override;
  void start_unit() override;
  bool publish(engine::Unit& tx) override;

  void adding(engine::Unit& tx, core::Board& board) override;
  void putting(engine::Unit& tx, core::Board const& before, core::Board& board) override;
  void removing(engine::Unit& tx, core::Board const& board) override;
  void adding(engine::Unit& tx, core::Board const& board, core::Task& task) override;
  void putting(engine::Unit& tx, core::Board const& board, core::Task const& before, core::Task& task,
               bool with_body) override;
  void appending(engine::Unit& tx, core::Event const& event) override;
  void added(engine::Unit& tx, core::Board const& board) override;

 private:
  using Steady = os::SteadyClock;
  struct Attached {
    std::filesystem::path directory;
    Calls calls;  ///< the thread for calls on its files, which may lie on a mount that does not answer
    std::shared_ptr<os::AwaitedLock> lock;
    std::optional<os::FileLock> held{};             ///< held until the batch ends
    std::unique_ptr<BoardMirror> mirror{};          ///< null while the directory cannot be opened
    std::filesystem::path watched{};                ///< the watched directory of its tasks
    bool is_told = false;                           ///< whether the kernel reports every change
    os::DirectoryWatch::Touched touched{};          ///< changed names that were not compared yet
    bool is_behind = true;                          ///< whether files may differ from the store
    bool is_in_unit = false;                        ///< whether the unit changes the board
    bool is_wanted = false;                         ///< whether a unit waits until the store shows the files
    Steady::time_point not_before{};                ///< the earliest time of the next try, after a failure
    std::optional<Steady::time_point> git_since{};  ///< since when reading waits for git
    Steady::time_point looked{};                    ///< when all files were last compared
  };

  bool publish_each(engine::Unit& tx);
  void look_at_unit_again();
  Attached& attached(core::Board const& board);
  /// Returns the mirror of a board that the unit changes. Its lock is held and the store shows its files;
  /// otherwise Outdated is thrown.
  BoardMirror& entered(engine::Unit& tx, core::Board const& board);
  void open(core::BoardId id, Attached& board);
  void watch_directories(core::BoardId id, Attached& board);
  void hold(Attached& board);
  void take_touched();
  bool is_due(Attached const& board) const;
  Steady::time_point look_again(Attached const& board) const;
  bool has_changed(engine::Unit& tx, core::BoardId id, Attached const& board) const;
  void know_all(engine::Unit& tx);
  void try_to_bring_up(engine::Unit& tx, core::BoardId id, Attached& board);
  void bring_up(engine::Unit& tx, core::BoardId id, Attached& board);
  void wait_for_git(Attached& board);
  [[noreturn]] static void stop_reading_for_git(Attached const& board);
  void bring_up_between_acts_of_git(engine::Unit& tx, core::BoardId id, Attached& board);
  void tell_problems(engine::Unit& tx, core::BoardId id, Attached const& board);
  /// Runs an act on the files of a board in a unit that changes the board.
  template <class Act>
  auto touching_files(engine::Unit& tx, Attached& board, Act const& act);
  void set_trouble(engine::Unit& tx, core::BoardId id, std::string const& trouble);
  void erase_tasks(engine::Unit& tx, core::Board const& board);
  void watch(std::stop_token const& stop);
  Steady::time_point next_due() const;

  std::filesystem::path const data_;
  os::Clock const& clock_;
  Warnings warnings_;
  std::map<core::BoardId, Attached> boards_;
  bool is_unknown_ = true;  ///< whether the list of attached boards has not been read yet
  std::shared_ptr<os::DirectoryWatch> watch_ = std::make_shared<os::DirectoryWatch>();
  std::function<void()> wake_;
  std::atomic<Steady::time_point> due_{Steady::time_point::max()};  ///< the next time to compare files
                                                                    ///< without a report
  std::atomic<bool> is_woken_ = false;  ///< whether the writer was asked to look and has not begun
  bool was_woken_ = false;
  std::jthread watcher_;
};

}  // namespace andon::store::markdown
