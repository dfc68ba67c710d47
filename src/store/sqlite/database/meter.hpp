#pragma once

#include <chrono>

#include "store/contract/writer_times.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Measures the cost of an act on a connection, from the construction of the meter on.
class Meter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Meter(Connection const& db, Time now)
      : db_(db), start_(now), rows_(sqlite3_total_changes64(db.handle())), steps_(db.steps()) {}

  ActCost cost(Time now) const {
    return {std::chrono::duration_cast<std::chrono::microseconds>(now - start_),
            sqlite3_total_changes64(db_.handle()) - rows_, db_.steps() - steps_};
  }

 private:
  Connection const& db_;
  Time start_;
  std::int64_t rows_;
  std::int64_t steps_;
};

}  // namespace andon::store::sqlite
