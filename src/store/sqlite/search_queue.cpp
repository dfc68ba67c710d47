#include "store/sqlite/search_queue.hpp"

namespace andon::store::sqlite {
namespace {

Query const kAdd{"search_add"};
Query const kRemove{"search_remove"};

}  // namespace

void SearchQueue::undo_unit(bool is_rolled_back) {
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(queued_before_), steps_.end());
  if (is_rolled_back) written_ = written_before_;
}

void SearchQueue::write(Connection& db) {
  for (; written_ < steps_.size(); ++written_) {
    auto const& [document, removes, text] = steps_[written_];
    db.run(removes ? kRemove : kAdd, document, text.title, text.body, text.note);
  }
}

void SearchQueue::drop() {
  steps_.clear();
  written_ = 0;
}

}  // namespace andon::store::sqlite
