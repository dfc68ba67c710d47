#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <string>

#include "core/id.hpp"
#include "store/contract/tx.hpp"
#include "store/contract/unit_kind.hpp"

namespace andon::store {

class AttachmentFiles;
class Servers;
class WriterTimes;

/// The result of a unit of work: the fate of its changes.
enum class Outcome {
  commit,    ///< the changes become part of the commit
  rollback,  ///< as if it had not run
  retry,     ///< discard now and run again when the board has changed or a time has come; for waiting picks
};

/// A unit of work. It may run more than once, so it must overwrite its outputs and never accumulate them.
using Work = std::move_only_function<Outcome(Tx&)>;
/// Called once, after the changes are on disk or were discarded; `trouble` is set when the changes failed.
using Done = std::move_only_function<void(std::exception_ptr trouble)>;
using Milliseconds = std::chrono::milliseconds;

/// Keeps boards, tasks, runs and history. Thread-safe. Writing units run one after another. A unit takes
/// effect completely or not at all. Events are in commit order without gaps. `done` is called only when the
/// change is durable.
class Store {
 public:
  virtual ~Store() = default;

  /// Queues a unit of work for the writer. Calls `done` with StoreError{busy} when the queue is full. Work
  /// that returns `retry` is run again after later units changed something, until `patience` has passed on
  /// the store's own timer. Then it runs a last time, and `retry` counts as `rollback`. A unit that looked
  /// for candidates is run again only after changes that may concern its columns, lanes and holders, or when
  /// time makes a task pickable. It must therefore read the clock again on each run. An urgent unit runs
  /// before all other units, as soon as the running unit has ended.
  virtual void submit(Work work, Done done, Milliseconds patience = {}, UnitKind kind = {}) = 0;

  /// Runs a reading unit and returns when it has ended; throws what the unit throws.
  virtual void read(std::function<void(Tx&)> const& work) = 0;

  /// Registers a listener that a thread of the store calls after each commit that appended events, with the
  /// number of the last event.
  virtual void on_commit(std::function<void(core::EventSeq last_seq)> listener) = 0;

  /// The servers that share the store; null for a store of one process.
  virtual Servers* servers() { return nullptr; }

  /// The contents of attachments; null for a store in memory.
  virtual AttachmentFiles* attachment_files() { return nullptr; }

  /// The times for which the writer was busy, by act.
  virtual WriterTimes& writer_times() = 0;

  /// The name of the data's history. It changes when the data is restored from a backup: cursors of the old
  /// data are invalid in the new data.
  virtual std::string incarnation() = 0;

  /// Finishes queued work and closes the store; later calls are refused.
  virtual void close() = 0;
};

}  // namespace andon::store
