#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "store/engine/writes.hpp"

namespace andon::store::engine {

/// True when the change may change an answer about the relations of tasks.
bool touches_relations(TaskChange const& change);

/// Changes of tasks, events and loads that wait to be written. It has copies of all objects. Two changes of
/// one task become one, unless `mark` was called between them.
class PendingWrites {
 public:
  /// True when the writes have nothing but changes that can wait.
  static bool can_wait(Writes const& writes);
  void add(Writes const& writes);
  bool is_empty() const { return tasks_.empty() && events_.empty() && loads_.empty(); }
  /// True when so much waits that it is to be written before more comes. Searches in it stay short.
  bool is_full() const {
    return tasks_.size() >= kMost || events_.size() >= 2 * kMost || body_bytes_ >= kMostBodyBytes;
  }
  bool has(core::TaskId id) const;
  bool touches_relations() const;
  /// True when a change that waits may give a claim to the holder or take one.
  bool touches_claims_of(std::string_view holder) const;

  /// Separates the changes so far from those that come.
  void mark();
  /// Drops the changes after the mark, and removes it.
  void undo_to_mark();
  bool has_any_before_mark() const { return mark_ != Sizes{}; }
  bool has_any_after_mark() const { return mark_ != sizes(); }
  /// The changes before the mark, or after it. They point into this object.
  Writes before_mark() const { return writes({}, mark_); }
  Writes after_mark() const { return writes(mark_, sizes()); }
  void clear();

 private:
  static constexpr std::size_t kMost = 256;
  static constexpr std::size_t kMostBodyBytes = 4 << 20;
  struct PendingTask {
    core::Task task;
    std::optional<core::Task> before;
    core::BoardId board = 0;
    Derived derived;
    bool with_body = false;
    std::optional<core::Sketch> sketch{};
  };
  struct Sizes {
    std::size_t tasks = 0;
    std::size_t events = 0;
    std::size_t loads = 0;
    bool operator==(Sizes const&) const = default;
  };
  Sizes sizes() const { return {tasks_.size(), events_.size(), loads_.size()}; }
  void add(TaskChange const& change);
  Writes writes(Sizes const& from, Sizes const& to) const;

  std::deque<PendingTask> tasks_;
  std::vector<AppendedEvent> events_;
  std::vector<LoadChange> loads_;
  Sizes mark_;
  std::size_t body_bytes_ = 0;  ///< at most so many, since the last `clear`
};

}  // namespace andon::store::engine
