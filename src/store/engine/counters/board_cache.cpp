#include "store/engine/counters/board_cache.hpp"

#include <charconv>

#include "core/text/names.hpp"
#include "store/engine/driver.hpp"

namespace andon::store::engine {

void BoardCache::refresh(Session& session) {
  auto current = session.registry(number_);
  if (!current) return;
  boards_.clear();
  workers_.clear();
  for (auto& board : current->boards) put(board);
  for (auto& worker : current->workers) put(worker);
  number_ = current->number;
  incarnation_ = std::move(current->incarnation);
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

}  // namespace andon::store::engine
