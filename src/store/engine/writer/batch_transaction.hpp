#pragma once

#include <expected>
#include <memory>
#include <optional>

#include "store/contract/store_error.hpp"
#include "store/contract/writer_times.hpp"
#include "store/engine/buffer/buffered_session.hpp"
#include "store/engine/external_source.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/writer/ending.hpp"
#include "store/engine/writer/submission.hpp"

namespace andon::store::engine {

/// The transaction of one batch, and after it that of the next. It runs units one after another; a unit that
/// fails or asks for it is undone alone. Used by the writer's thread.
class BatchTransaction {
 public:
  using Undo = Unit::Undo;

  /// The source may be null. ExternalSource, times and ending are not owned.
  BatchTransaction(std::unique_ptr<BufferedSession> session, ExternalSource* source, WriterTimes& times,
                   Ending& ending);

  /// Takes the source's lock and opens the transaction. False when it is lost. Foreign edits are applied
  /// first, and their changes are added to `unseen`.
  bool begin(Changes& unseen);
  /// Rolls a spoiled transaction back and opens it again. False when it is lost.
  bool start_over(Changes& unseen);
  /// Runs a unit; must not be called when the transaction is lost. Changes of foreign edits that the unit
  /// waited for are added to `unseen`. The result says nothing when the unit has spoiled the transaction. A
  /// unit with `Undo::alone` runs a second time when the database refuses it.
  Attempt attempt(Submission& unit, Turn turn, Undo undo, Changes& unseen);
  /// Writes what waits in memory, and does upkeep of the database. The transaction is spoiled or lost when
  /// the database refuses this. Not needed for a commit.
  void settle();
  bool is_to_commit() const { return !lost_ && tx_.has_written(); }
  /// Commits and leaves the sync to the caller. When the result is false, the transaction is lost.
  bool commit();
  /// Ends the transaction without a commit.
  void roll_back() noexcept;
  /// Drops what is kept in memory of a lost transaction.
  void forget() { tx_.forget(); }

  /// The reason why the transaction is gone; null while it is not. Its units are to be refused.
  std::exception_ptr const& lost() const { return lost_; }
  void lose(std::exception_ptr reason) { lost_ = std::move(reason); }
  /// True when the disk was full when the transaction was lost.
  bool is_out_of_room() const;
  /// True when nothing may be committed, but each unit may run again alone.
  bool is_spoiled() const { return tx_.is_spoiled(); }
  bool is_stopped() const { return ending_.is_stopped(); }
  /// True when units write files too, which are undone with the unit.
  bool writes_files() const { return source_ && source_->is_in_use(); }
  /// True when others have changed the database before this transaction.
  bool has_foreign_changes() const { return session_->state().has_foreign_changes; }
  /// The last event.
  core::EventSeq seq() const { return tx_.seq(); }
  std::optional<core::Duration> until_next_time(core::Instant now) { return tx_.until_next_time(now); }
  Session const& session() const { return *session_; }
  /// Closes the session for good.
  void close() { session_.reset(); }

 private:
  struct Verdict {
    Outcome outcome = Outcome::rollback;
    std::exception_ptr trouble{};
    bool is_refused = false;  ///< a call of the database failed for no reason that is sure to stay
  };
  void open(Changes& unseen);
  void catch_up(Changes& unseen);
  Verdict decide(Submission& unit, Turn turn, Undo undo, Changes& unseen);
  Verdict decide_alone(Submission& unit, Turn turn, Changes& unseen);
  Verdict decide_with_batch(Submission& unit, Turn turn, Changes& unseen);
  /// Writes the changes of the unit that runs, or of the source.
  void store_unit();
  bool can_run_again(std::exception_ptr const& trouble) const;
  /// Runs the work once. Refused with Outdated when the source requires a new run.
  std::expected<Outcome, Outdated> try_to_decide(Submission& unit, Turn turn, Undo undo);
  void end_unit(bool is_kept);
  void note_loss(std::exception_ptr const& trouble);
  /// Call while the error is handled.
  void lose(StoreError const& error);
  void take_back() noexcept;

  std::unique_ptr<BufferedSession> session_;
  Unit tx_;
  ExternalSource* source_;
  WriterTimes& times_;
  Ending& ending_;
  std::exception_ptr lost_;
  ActCost settling_{};  ///< the cost of `settle`, which is told with that of the commit
};

}  // namespace andon::store::engine
