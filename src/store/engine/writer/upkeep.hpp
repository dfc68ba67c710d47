#pragma once

#include <optional>

#include "store/engine/writer/batch_transaction.hpp"

namespace andon::store::engine {

/// Looks after the database between batches: that it is still the one that was opened, and that it stays
/// quick. Used by the writer's thread.
class Upkeep {
 public:
  Upkeep(Driver& driver, BatchTransaction& transaction, WriterTimes& times, Ending& ending)
      : driver_(driver), transaction_(transaction), times_(times), ending_(ending) {}

  /// False when the database is no longer the one that was opened. The first time it ends writing.
  bool is_data_there();
  /// When a waiting writer should ask `is_data_there` again; nothing where the database is not watched.
  std::optional<Moment> next_look(Moment now) const;
  /// Lets the driver tidy up. A failure of it ends writing and the process.
  void tidy(Occasion occasion);
  /// Closes a database that other processes use too.
  void close_shared(ExternalSource& source);

 private:
  Driver& driver_;
  BatchTransaction& transaction_;
  WriterTimes& times_;
  Ending& ending_;
  bool is_data_gone_ = false;
};

}  // namespace andon::store::engine
