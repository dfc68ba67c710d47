#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/sqlite/connection.hpp"

namespace andon::store::sqlite {

struct SearchText {
  std::string title;
  std::string body;
  std::string note;
};

/// The texts that the full-text index learns and forgets with the next commit. The index writes a segment
/// whenever a savepoint ends, so it is told once per batch, outside of every unit, and not once per unit.
class SearchQueue {
 public:
  void add(std::int64_t document, SearchText text) { steps_.push_back({document, false, std::move(text)}); }
  /// Forgets a document; `text` is what the index was told of it.
  void remove(std::int64_t document, SearchText text) { steps_.push_back({document, true, std::move(text)}); }
  void start_unit() { queued_before_ = steps_.size(), written_before_ = written_; }
  /// `is_rolled_back` when what the unit wrote is undone in the database, too.
  void undo_unit(bool is_rolled_back);
  bool is_waiting() const { return written_ < steps_.size(); }
  /// Tells the index what it does not know yet.
  void write(Connection& db);
  /// Forgets everything: the batch is on disk, or lost.
  void drop();

 private:
  struct Step {
    std::int64_t document;
    bool removes;
    SearchText text;
  };
  std::vector<Step> steps_;
  std::size_t written_ = 0;  ///< of `steps_`, from the front
  std::size_t queued_before_ = 0;
  std::size_t written_before_ = 0;
};

}  // namespace andon::store::sqlite
