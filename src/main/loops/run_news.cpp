#include "main/loops/run_news.hpp"

#include <utility>

namespace andon::main {
namespace {

constexpr core::Duration kTroubleLasts = std::chrono::minutes{1};

}  // namespace

bool RunNews::note(std::vector<core::RunId> const& watched, std::string const& trouble,
                   core::Duration uptime) {
  std::function<void()> changed;
  bool is_over = false;
  {
    std::scoped_lock const lock(mutex_);
    live_ = {watched.begin(), watched.end()};
    watched_since_.insert(watched.begin(), watched.end());
    bool const is_new = !trouble.empty() && trouble != trouble_;
    is_over = !is_new && !trouble_.empty() && uptime - troubled_at_ > kTroubleLasts;
    if (is_new) troubled_at_ = uptime;
    if (is_new) trouble_ = trouble;
    if (is_over) trouble_.clear();
    if (is_new || is_over) changed = changed_;
  }
  if (changed) changed();
  return is_over;
}

std::set<core::RunId> RunNews::take_watched() {
  std::scoped_lock const lock(mutex_);
  return std::exchange(watched_since_, live_);
}

std::string RunNews::trouble() const {
  std::scoped_lock const lock(mutex_);
  return trouble_;
}

void RunNews::on_trouble(std::function<void()> changed) {
  std::scoped_lock const lock(mutex_);
  changed_ = std::move(changed);
}

}  // namespace andon::main
