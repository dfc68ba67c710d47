#include "mcp/protocol/subscriptions.hpp"

#include <atomic>

namespace andon::mcp {
namespace {

void tell_changes(Subscriber const& to, Changes const& changes) {
  auto const filter = to.filter();
  for (auto const& row : kLists)
    if (filter.lists.*row.list && (changes.is_all || changes.lists.*row.list))
      to.tell(row.notification, json::object{}, changes.place);
  for (auto const& uri : filter.resources)
    if (changes.is_all || changes.resources.contains(uri))
      to.tell("notifications/resources/updated", json::object{{"uri", uri}}, changes.place);
}

}  // namespace

struct Subscriptions::Entry {
  explicit Entry(Subscriber of) : subscriber(std::move(of)) {}

  Subscriber subscriber;
  std::atomic<bool> is_looking = false;
  std::atomic<bool> must_look = true;

  /// Looks for changes, one look at a time.
  static void look(std::shared_ptr<Entry> const& self) {
    auto& to = self->subscriber;
    to.features->changes_since(to.place, [self](Outcome<Changes> changes) {
      if (changes) {
        tell_changes(self->subscriber, *changes);
        self->subscriber.place = std::move(changes->place);
      } else {
        self->must_look = true;
      }
      self->is_looking = false;
    });
  }
};

void Subscriptions::add(Subscriber subscriber) {
  auto entry = std::make_shared<Entry>(std::move(subscriber));
  std::scoped_lock const lock{mutex_};
  std::erase_if(entries_, [](auto const& one) { return !one->subscriber.is_open(); });
  entries_.push_back(std::move(entry));
}

void Subscriptions::step(bool has_news) {
  std::list<std::shared_ptr<Entry>> all;
  {
    std::scoped_lock const lock{mutex_};
    std::erase_if(entries_, [](auto const& one) { return !one->subscriber.is_open(); });
    all = entries_;
  }
  for (auto const& entry : all) {
    if (has_news) entry->must_look = true;
    if (!entry->must_look || entry->is_looking.exchange(true)) continue;
    entry->must_look = false;
    Entry::look(entry);
  }
}

bool Subscriptions::empty() const {
  std::scoped_lock const lock{mutex_};
  return entries_.empty();
}

}  // namespace andon::mcp
