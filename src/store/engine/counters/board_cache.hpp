#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/id.hpp"
#include "core/model/board.hpp"
#include "core/model/worker.hpp"

namespace andon::store::engine {

class Session;

/// The boards and workers of the store as one session last read them. A returned pointer is valid until
/// the entry is put again or the cache is refreshed.
class BoardCache {
 public:
  /// Reads boards and workers again when the catalogue number in the database has changed.
  void refresh(Session& session);
  void drop() { number_ = 0; }
  bool is_empty() const { return number_ == 0; }
  std::string_view incarnation() const { return incarnation_; }

  core::Board const* board(std::string_view name_or_id) const;
  core::Board const* board(core::BoardId id) const;
  std::map<core::BoardId, std::unique_ptr<core::Board>> const& boards() const { return boards_; }
  void put(core::Board const& board);
  void remove_board(core::BoardId id) { boards_.erase(id); }

  core::Worker const* worker(std::string_view name) const;
  std::map<std::string, std::unique_ptr<core::Worker>, std::less<>> const& workers() const {
    return workers_;
  }
  void put(core::Worker const& worker);
  void remove_worker(std::string_view name);

  /// Raises the cached number after this session's own change, which is already in the cache.
  void advance() { ++number_; }

 private:
  std::int64_t number_ = 0;
  std::string incarnation_;
  std::map<core::BoardId, std::unique_ptr<core::Board>> boards_;
  std::map<std::string, std::unique_ptr<core::Worker>, std::less<>> workers_;
};

}  // namespace andon::store::engine
