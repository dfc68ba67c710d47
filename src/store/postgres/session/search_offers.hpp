#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/id.hpp"
#include "store/sql/database/connection.hpp"

namespace andon::store::postgres {

/// True when so many texts have the words of the phrase that they do not rank.
bool is_common(sql::Connection& db, std::string const& phrase);

/// The texts that have all of some phrases, in the order in which they are offered: tasks with all of them in
/// the title, other tasks, notes from the newest on.
enum class Stream { titles, tasks, notes };

/// A text that has all phrases, and its task.
struct Offer {
  std::int64_t document = 0;
  core::TaskId task = 0;
};

/// The texts of one stream, in growing numbers. Texts that are few come out of the index of their words and
/// are sorted. More of them are so dense that a walk over all texts finds them sooner.
class Offers {
 public:
  Offers(sql::Connection& db, Stream stream, std::vector<std::string> const& phrases);
  /// The next ones; nothing at the end.
  std::vector<Offer> next();
  /// True when a walk has passed so many texts that it ended.
  bool is_cut() const;

 private:
  std::vector<Offer> read();
  void add_tasks(std::vector<Offer>& offers);

  sql::Connection& db_;
  Stream stream_;
  std::string phrases_;
  bool walks_;
  std::int64_t document_;  ///< the last one that was read, with its piece
  std::int64_t piece_ = 0;
  std::int64_t most_ = 50;
  std::int64_t passed_ = 0;
  bool has_ended_ = false;
};

}  // namespace andon::store::postgres
