#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "store/contract/store.hpp"

namespace andon::store::engine {

enum class Rights { read, write };

/// When the reads of a unit of work give up, as StoreError{overlong}.
struct ReadLimit {
  std::optional<std::chrono::milliseconds> most{};
  std::shared_ptr<std::atomic<bool> const> abandoned{};  ///< true: at once; may be null
};

/// The outcome of the last calls of a session.
struct SessionState {
  bool in_transaction = false;
  bool has_failed = false;  ///< a call has thrown since the last `start_unit`
  bool is_unsound = false;  ///< after the last failure it is unknown which changes reached the disk
  std::int64_t rows = 0;    ///< written since the session was opened
  std::int64_t steps = 0;   ///< work of the database since then, in thousands of its own steps
};

/// One connection to a database. Its calls take and return sets, so that each costs one round trip. Used by
/// one thread at a time. Failures are thrown as StoreError.
class Session {
 public:
  virtual ~Session() = default;

  // The life of a transaction
  virtual void begin(Rights rights) = 0;
  virtual void commit() = 0;
  /// Does nothing outside a transaction.
  virtual void rollback() = 0;
  /// Moves the mark of the transaction here.
  virtual void set_mark() = 0;
  /// Undoes what was written since the mark, and removes the mark.
  virtual void undo_to_mark() = 0;
  /// Forgets failures; reads give up as the limit says.
  virtual void start_unit(ReadLimit const& limit) = 0;
  virtual SessionState state() const = 0;
};

}  // namespace andon::store::engine
