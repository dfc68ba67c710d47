#include "store/sqlite/counters/board_cache.hpp"

#include <charconv>

#include "core/text/names.hpp"
#include "store/sqlite/rows/document.hpp"

namespace andon::store::sqlite {
namespace {

Query const kNumber{"catalogue_number"};
Query const kAllBoards{"boards"};
Query const kWorkers{"workers"};

}  // namespace

void BoardCache::refresh(Connection& db) {
  auto const current = [&] {
    auto row = db.query(kNumber);
    return row.step() ? row.integer(0) : 0;
  }();
  if (current == number_) return;
  boards_.clear();
  workers_.clear();
  for (auto row = db.query(kAllBoards); row.step();) {
    auto board = std::make_unique<core::Board>(board_in(row.view(1)));
    board->id = core::BoardId{row.integer(0)};
    boards_.emplace(board->id, std::move(board));
  }
  for (auto row = db.query(kWorkers); row.step();) {
    auto worker = std::make_unique<core::Worker>(worker_in(row.view(0)));
    auto name = worker->name;
    workers_.emplace(std::move(name), std::move(worker));
  }
  number_ = current;
}

core::Board const* BoardCache::board(core::BoardId id) const {
  auto const found = boards_.find(id);
  return found == boards_.end() ? nullptr : found->second.get();
}

core::Board const* BoardCache::board(std::string_view name_or_id) const {
  for (auto const& [id, board] : boards_)
    if (board->name == name_or_id) return board.get();
  for (auto const& [id, board] : boards_)
    if (core::same_name(board->name, name_or_id)) return board.get();
  std::int64_t id = 0;
  auto const* end = name_or_id.data() + name_or_id.size();
  auto const parsed = std::from_chars(name_or_id.data(), end, id);
  return parsed.ec == std::errc{} && parsed.ptr == end ? board(core::BoardId{id}) : nullptr;
}

void BoardCache::put(core::Board const& board) {
  auto& entry = boards_[board.id];
  if (entry)
    *entry = board;
  else
    entry = std::make_unique<core::Board>(board);
}

core::Worker const* BoardCache::worker(std::string_view name) const {
  auto const found = workers_.find(name);
  return found == workers_.end() ? nullptr : found->second.get();
}

void BoardCache::put(core::Worker const& worker) {
  auto& entry = workers_[worker.name];
  if (entry)
    *entry = worker;
  else
    entry = std::make_unique<core::Worker>(worker);
}

void BoardCache::remove_worker(std::string_view name) {
  if (auto const found = workers_.find(name); found != workers_.end()) workers_.erase(found);
}

}  // namespace andon::store::sqlite
