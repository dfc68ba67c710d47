#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/boards/wip.hpp"
#include "core/error.hpp"
#include "core/model/automation.hpp"
#include "core/model/board.hpp"
#include "core/model/event.hpp"
#include "core/model/run.hpp"
#include "core/model/task.hpp"
#include "core/model/work_place.hpp"
#include "core/model/worker.hpp"
#include "store/contract/attachment_files.hpp"
#include "store/contract/query.hpp"
#include "store/contract/servers.hpp"
#include "store/contract/writer_times.hpp"

namespace andon::store {

namespace engine {
class Unit;
}

using core::BoardId;

/// The most tasks that the unit of work that changes a board may change with it.
inline constexpr std::int64_t kMostAtOnce = 100;

enum class Side { before, after };

/// The answer of a pick to a task that the store offers.
enum class PickAnswer {
  take,
  pass,
  held,  ///< passed over, because another task holds files that it touches
};

/// One unit of work: the view of the data in which it reads and writes.
using Tx = engine::Unit;

/// The result of a unit of work: the fate of its changes.
enum class Outcome {
  commit,    ///< the changes become part of the commit
  rollback,  ///< as if it had not run
  retry,     ///< discard now and run again when the board has changed or a time has come; for waiting picks
};

/// A failure outside the rules of the domain, such as one of the disk. `kind` shows whether the same call may
/// succeed later.
class StoreError : public std::exception {
 public:
  enum class Kind {
    busy,
    no_space,
    read_only,
    damaged,
    gone,  ///< the file is not the one any more that was opened; the text says what to do
    newer_schema,
    unusable,     ///< the configuration of a board is invalid; the text is for its author
    refused,      ///< the request is impossible; the text is for the caller
    unreachable,  ///< the files of an attached board; all other boards still work
    overlong,     ///< a unit read for longer than its limit
    other
  };
  StoreError(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}
  Kind kind() const { return kind_; }
  char const* what() const noexcept override { return text_.c_str(); }

 private:
  Kind kind_;
  std::string text_;
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
