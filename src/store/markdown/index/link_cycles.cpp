#include "store/markdown/index/link_cycles.hpp"

#include <algorithm>
#include <set>

namespace andon::store::markdown {
namespace {

using core::TaskId;

/// A task on the walked path, and its next link to follow.
struct Place {
  TaskId task;
  std::size_t next = 0;
};

class Walk {
 public:
  Walk(Links const& links, std::size_t most) : links_(links), most_(most) {}

  void from(TaskId task) {
    if (!enter(task)) return;
    while (!way_.empty() && out_.size() < most_) step();
    way_.clear();
  }
  std::vector<std::vector<TaskId>> found() && { return std::move(out_); }

 private:
  bool enter(TaskId task) {
    if (!links_.contains(task) || !seen_.insert(task).second) return false;
    way_.push_back({task});
    on_way_.insert(task);
    return true;
  }

  void step() {
    auto& here = way_.back();
    auto const& links = links_.at(here.task);
    if (here.next == links.size()) {
      on_way_.erase(here.task);
      way_.pop_back();
      return;
    }
    auto const to = links[here.next++];
    if (on_way_.contains(to)) return keep(to);
    enter(to);
  }

  void keep(TaskId first) {
    auto& cycle = out_.emplace_back();
    for (auto at = std::ranges::find(way_, first, &Place::task); at != way_.end(); ++at)
      cycle.push_back(at->task);
    cycle.push_back(first);
  }

  Links const& links_;
  std::size_t most_;
  std::set<TaskId> seen_;
  std::set<TaskId> on_way_;
  std::vector<Place> way_;
  std::vector<std::vector<TaskId>> out_;
};

}  // namespace

std::vector<std::vector<TaskId>> cycles_in(Links const& links, std::size_t most) {
  Walk walk{links, most};
  for (auto const& [task, to] : links) walk.from(task);
  return std::move(walk).found();
}

}  // namespace andon::store::markdown
