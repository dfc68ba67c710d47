#include "store/engine/counters/changes.hpp"

#include <algorithm>

namespace andon::store::engine {
namespace {

bool contains(auto const& list, auto const& item) { return std::ranges::find(list, item) != list.end(); }

}  // namespace

void Changes::offer(core::TaskId task, core::BoardId board, std::string status, std::string queue_key) {
  offers_.insert_or_assign(task, Offer{board, std::move(status), std::move(queue_key)});
  any_ = true;
}

void Changes::withdraw(core::TaskId task) {
  offers_.erase(task);
  withdrawn_.push_back(task);
  any_ = true;
}

void Changes::make_room(core::BoardId board) {
  if (!contains(roomy_, board)) roomy_.push_back(board);
  any_ = true;
}

void Changes::free_holder(std::string_view holder) {
  if (!contains(freed_, holder)) freed_.emplace_back(holder);
  any_ = true;
}

void Changes::set(std::string_view setting) {
  if (!contains(settings_, setting)) settings_.emplace_back(setting);
  any_ = true;
}

void Changes::reshape() {
  reshaped_ = true;
  any_ = true;
}

void Changes::add(Changes&& more) {
  for (auto const task : more.withdrawn_) offers_.erase(task);
  for (auto& [task, offer] : more.offers_) offers_.insert_or_assign(task, std::move(offer));
  for (auto const board : more.roomy_) make_room(board);
  for (auto const& holder : more.freed_) free_holder(holder);
  for (auto const& setting : more.settings_) set(setting);
  reshaped_ = reshaped_ || more.reshaped_;
  any_ = any_ || more.any_;
}

bool Changes::concern(PickScope const& scope) const {
  if (contains(roomy_, scope.board)) return true;
  return std::ranges::any_of(offers_, [&](auto const& entry) {
    auto const& offer = entry.second;
    return offer.board == scope.board && contains(scope.columns, offer.status) &&
           contains(scope.queue_keys, offer.queue_key);
  });
}

bool Changes::concern(Interest const& interest) const {
  if (!any_ || !interest.is_known() || reshaped_) return any_;
  if (interest.counted_runs && !roomy_.empty()) return true;
  return std::ranges::any_of(interest.holders,
                             [&](auto const& holder) { return contains(freed_, holder); }) ||
         std::ranges::any_of(interest.settings,
                             [&](auto const& setting) { return contains(settings_, setting); }) ||
         std::ranges::any_of(interest.scopes, [&](PickScope const& scope) { return concern(scope); });
}

}  // namespace andon::store::engine
