#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "store/markdown/attached_reading.hpp"
#include "store/markdown/writer_alarm.hpp"

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

  std::string file_of(engine::FileTable& files, core::Board const& board, core::TaskId task) override;
  std::string seen_file_of(engine::FileTable& files, core::Board const& board, core::TaskId task) override {
    return file_of(files, board, task);
  }
  bool is_directory() const override { return false; }
  void refresh(engine::FileTable&) override {}
  void on_not_found(engine::FileTable&, core::TaskId) override {}

  void begin(std::function<void()> wake) override { alarm_.begin(std::move(wake)); }
  void end() noexcept override { alarm_.end(); }
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
  bool publish_each(engine::Unit& tx);
  void look_at_unit_again();
  AttachedBoard& attached(core::Board const& board);
  /// Returns the mirror of a board that the unit changes. Its lock is held and the store shows its files;
  /// otherwise Outdated is thrown.
  BoardMirror& entered(engine::Unit& tx, core::Board const& board);
  void take_touched();
  void know_all(engine::Unit& tx);
  void try_to_bring_up(engine::Unit& tx, core::BoardId id, AttachedBoard& board);
  /// Runs an act on the files of a board in a unit that changes the board.
  template <class Act>
  auto touching_files(engine::Unit& tx, AttachedBoard& board, Act const& act);
  void set_trouble(engine::Unit& tx, core::BoardId id, std::string const& trouble);
  void erase_tasks(engine::Unit& tx, core::Board const& board);

  std::filesystem::path const data_;
  os::Clock const& clock_;
  Warnings warnings_;
  std::map<core::BoardId, AttachedBoard> boards_;
  bool is_unknown_ = true;  ///< whether the list of attached boards has not been read yet
  std::shared_ptr<os::DirectoryWatch> watch_ = std::make_shared<os::DirectoryWatch>();
  AttachedReading reading_{clock_, warnings_, watch_};
  WriterAlarm alarm_{watch_};
};

}  // namespace andon::store::markdown
