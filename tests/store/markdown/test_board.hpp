#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/markdown/yaml/by_hand.hpp"

namespace andon::test {

/// A board of files in a scratch directory, with what people and other programs do to it.
class TestBoard : public ByHand {
 public:
  TestBoard() {
    open();
    add_board(*store_);
  }

  store::Store& store() { return *store_; }
  void open() {
    store_.reset();
    store_ = store::open_store("markdown:" + scratch_.path().native(), store::exit_on_fatal,
                               [this](std::string_view text) { warnings.emplace_back(text); });
  }
  void close() { store_.reset(); }
  void lose_index() {
    close();
    std::filesystem::remove(scratch_ / ".andon/index.db");
    open();
  }

  std::filesystem::path path(std::string const& name) const { return scratch_.path() / name; }
  std::filesystem::path task(std::string const& name) const { return scratch_.path() / "tasks" / name; }
  core::Task seen_task(core::TaskId id) {
    auto const task = seen(*store_, [&](store::Tx& tx) { return tx.task(id); });
    REQUIRE(task);
    return *task;
  }
  bool has_task(core::TaskId id) {
    return seen(*store_, [&](store::Tx& tx) { return tx.task(id).has_value(); });
  }
  bool warned_of(std::string_view text) const {
    for (auto const& warning : warnings)
      if (warning.contains(text)) return true;
    return false;
  }

  std::vector<std::string> warnings;

 private:
  Scratch scratch_;
  std::unique_ptr<store::Store> store_;
};

}  // namespace andon::test
