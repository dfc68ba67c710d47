#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/engine/buffer/queue_pages.hpp"
#include "store/engine/queries.hpp"
#include "store/engine/writes.hpp"

namespace andon::store::engine {

/// Answers of a session, kept right by the changes of tasks. Other changes make it forget everything that
/// they may touch.
class KnownAnswers {
 public:
  /// Tasks with a longer body are not kept with it.
  static constexpr std::size_t kLongestBody = 4096;
  /// Longer lists of relations are not kept.
  static constexpr std::size_t kMostLinks = 64;
  /// The query of which `keep` takes the answer.
  static LinksQuery all_links_of(std::vector<core::TaskId> tasks);

  /// Follows what is about to be written.
  void follow(Writes const& writes);
  void forget() { *this = {}; }

  std::optional<std::vector<Candidate>> candidates(CandidatesQuery const& query) const;
  void keep(CandidatesQuery const& query, std::vector<Candidate> const& rows);
  /// The task with its body; null when it is not known.
  TaskRow const* task(core::TaskId id) const;
  void keep_with_body(TaskRow row);
  Links const* links(core::TaskId id) const;
  /// False when the lists are too long.
  bool keep(core::TaskId id, Links links);
  /// All claims of a holder, also those that have ended; null when they are not known.
  std::vector<TaskRow> const* claims(std::string const& holder) const;
  std::vector<TaskRow> const& keep_claims(std::string const& holder, std::vector<TaskRow> rows);
  std::vector<core::Run> const* live_runs() const { return live_runs_ ? &*live_runs_ : nullptr; }
  void keep_live_runs(std::vector<core::Run> runs) { live_runs_ = std::move(runs); }
  /// True when no task put aside has become pickable by `now`.
  bool is_nothing_due(core::Instant now) const { return nothing_due_until_ && now < *nothing_due_until_; }
  void keep_nothing_due_until(core::Instant at) { nothing_due_until_ = at; }
  void forget_due() { nothing_due_until_.reset(); }

 private:
  void follow(TaskChange const& change);
  void follow_task(TaskChange const& change);
  void follow_claims(TaskChange const& change);

  QueuePages queues_;
  std::map<core::TaskId, TaskRow> tasks_;
  std::map<core::TaskId, Links> links_;
  std::map<std::string, std::vector<TaskRow>> claims_;
  std::optional<std::vector<core::Run>> live_runs_;
  std::optional<core::Instant> nothing_due_until_;
};

}  // namespace andon::store::engine
