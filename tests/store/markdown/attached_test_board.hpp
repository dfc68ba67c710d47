#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/yaml/by_hand.hpp"

namespace andon::test {

/// A server's store, and a directory of files that its own commands use as well.
class AttachedTestBoard : public ByHand {
 public:
  AttachedTestBoard() {
    std::filesystem::create_directories(scratch_ / "data");
    std::filesystem::create_directories(files());
    open();
    open_files();
    add_board(*files_, a_board("shop"));
  }
  ~AttachedTestBoard() {
    files_.reset();
    store_.reset();
  }

  std::filesystem::path files() const { return scratch_.path() / "kanban"; }
  std::filesystem::path data() const { return scratch_.path() / "data"; }
  std::filesystem::path task(std::string const& name) const { return files() / "tasks" / name; }

  /// Where the server writes down what it is about to publish.
  std::filesystem::path intents_of(core::BoardId board) {
    return files() / ".andon" / ("intent-" + store_->incarnation() + "-" + std::to_string(board));
  }

  store::Store& store() { return *store_; }
  /// As a command in the directory sees the board: another index, another lock.
  store::Store& beside() { return *files_; }
  void open() {
    store_.reset();
    store_ = store::open_store("sqlite:" + (data() / "andon.db").native(), store::exit_on_fatal,
                               [this](std::string_view text) { warnings.emplace_back(text); });
    store_->on_commit([this](core::EventSeq) {
      std::scoped_lock const lock{mutex_};
      committed_.notify_all();
    });
  }
  void open_files() {
    files_.reset();
    files_ = store::open_store("markdown:" + files().native());
  }
  void close() { store_.reset(); }

  core::BoardId attach(std::string const& name = {}, std::string const& prefix = {}) {
    core::Board board;
    board.directory = files().native();
    board.name = name;
    board.prefix = prefix;
    return add_board(*store_, board);
  }
  core::Board board(core::BoardId id) {
    return seen(*store_, [&](store::Tx& tx) { return *tx.board(id); });
  }
  /// The task whose key has this number.
  std::optional<core::Task> find(std::string const& key) {
    return seen(*store_, [&](store::Tx& tx) -> std::optional<core::Task> {
      auto const id = tx.task_with_key(key);
      return id ? tx.task(*id) : std::nullopt;
    });
  }
  core::Task keyed(std::string const& key) {
    auto const task = find(key);
    REQUIRE(task);
    return *task;
  }
  std::vector<core::Event> events() {
    return seen(*store_, [](store::Tx& tx) { return tx.events({}); });
  }

  /// Waits until a commit made it true; what is never so fails.
  template <class Holds>
  bool comes_true(Holds const& holds) {
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
    std::unique_lock lock{mutex_};
    while (std::chrono::steady_clock::now() < end) {
      lock.unlock();
      if (holds()) return true;
      lock.lock();
      committed_.wait_for(lock, std::chrono::milliseconds{100});
    }
    return false;
  }

  std::vector<std::string> warnings;

 private:
  Scratch scratch_;
  std::mutex mutex_;
  std::condition_variable committed_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<store::Store> files_;
};

}  // namespace andon::test
