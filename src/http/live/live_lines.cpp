#include "http/live/live_lines.hpp"

#include <utility>

#include "service/insight/live.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::http {
namespace {

constexpr std::size_t kMostLines = 1024;

/// The cards in the answer of an operation; null for other answers.
std::vector<service::Card>* cards_in(api::Answer& answer) {
  auto* value = answer.value.get();
  if (!value || !answer.operation) return nullptr;
  if (answer.operation == &api::row_of<&service::snapshot>())
    return &static_cast<service::Snapshot*>(value)->tasks;
  if (answer.operation == &api::row_of<&service::list_cards>())
    return &static_cast<service::CardList*>(value)->items;
  return nullptr;
}

}  // namespace

void LiveLines::keep(RunLine line) {
  std::scoped_lock const lock(mutex_);
  new_[line.board][line.task] = line.text;
  lines_[line.run] = std::move(line.text);
  if (lines_.size() > kMostLines) lines_.erase(lines_.begin());
}

bool LiveLines::has_new() const {
  std::scoped_lock const lock(mutex_);
  return !new_.empty();
}

LiveLines::ByBoard LiveLines::take_new() {
  std::scoped_lock const lock(mutex_);
  return std::exchange(new_, {});
}

void LiveLines::fill(api::Answer& answer) const {
  auto* const cards = cards_in(answer);
  if (!cards) return;
  std::scoped_lock const lock(mutex_);
  for (auto& card : *cards) {
    auto const line = card.run ? lines_.find(card.run->id) : lines_.end();
    if (line != lines_.end()) card.line = line->second;
  }
}

}  // namespace andon::http
