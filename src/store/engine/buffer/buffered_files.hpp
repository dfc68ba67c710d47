#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "store/engine/driver.hpp"

namespace andon::store::engine {

/// The tables of files of a session behind a buffer. What reads tasks, and what writes, calls `store_all`
/// first, which stores all that waits.
class BufferedFiles final : public FileTable {
 public:
  BufferedFiles(Session& inner, std::function<void()> store_all)
      : inner_(inner), store_all_(std::move(store_all)) {}

  std::vector<FileRow> files(FilesQuery const& query) override { return inner_.files().files(query); }
  std::vector<FileValue> values(core::BoardId board) override { return inner_.files().values(board); }
  std::optional<FileNumberRow> number(FileNumberQuery const& query) override {
    return inner_.files().number(query);
  }
  std::vector<core::TaskId> tasks_without_file(core::BoardId board) override {
    store_all_();
    return inner_.files().tasks_without_file(board);
  }
  core::Epoch past_epoch(core::TaskId task) override { return inner_.files().past_epoch(task); }
  void write(FileWrites const& writes) override {
    store_all_();
    inner_.files().write(writes);
  }
  void reserve_room() override { inner_.files().reserve_room(); }

 private:
  Session& inner_;
  std::function<void()> store_all_;
};

}  // namespace andon::store::engine
