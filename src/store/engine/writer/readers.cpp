#include "store/engine/writer/readers.hpp"

#include "store/contract/store.hpp"
#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"

namespace andon::store::engine {
namespace {

constexpr int kMost = 8;

/// Holds one snapshot open while it lives.
class Snapshot {
 public:
  explicit Snapshot(Session& session) : session_(session) { session_.begin(Rights::read); }
  ~Snapshot() {
    try {
      session_.rollback();
    } catch (StoreError const&) {  // NOLINT(bugprone-empty-catch)
      // the session reports its trouble to the next unit that uses it
    }
  }
  Snapshot(Snapshot const&) = delete;
  Snapshot& operator=(Snapshot const&) = delete;

 private:
  Session& session_;
};

}  // namespace

void Readers::run(std::function<void(Unit&)> const& work, std::function<void()> const& update_index) try {
  run_once(work);
} catch (SearchBehind const&) {
  if (!update_index) throw;
  update_index();
  run_once([&](Unit& tx) {
    tx.search_as_it_is();
    work(tx);
  });
}

/// A unit whose transaction the database has ended, with its connection, runs once more.
void Readers::run_once(std::function<void(Unit&)> const& work) {
  auto reader = borrow();
  for (int attempt = 1;; ++attempt) try {
      Snapshot const snapshot{*reader->session};
      try {
        reader->tx.start_unit();
        work(reader->tx);
      } catch (StoreError const&) {
        if (attempt > 1 || reader->session->state().in_transaction) throw;
        continue;
      }
      break;
    } catch (...) {
      give_back(std::move(reader));
      throw;
    }
  give_back(std::move(reader));
}

std::unique_ptr<Readers::Reader> Readers::borrow_idle() {
  os::MutexLock const lock{mutex_};
  while (!closed_ && idle_.empty() && lent_ >= kMost) returned_.wait(mutex_);
  if (closed_) throw StoreError{StoreError::Kind::other, "the store is closed"};
  ++lent_;
  if (idle_.empty()) return nullptr;
  auto reader = std::move(idle_.back());
  idle_.pop_back();
  return reader;
}

std::unique_ptr<Readers::Reader> Readers::borrow() {
  if (auto idle = borrow_idle()) return idle;
  try {
    return std::make_unique<Reader>(*driver_, places_);
  } catch (...) {
    give_back(nullptr);
    if (auto other = await_idle()) return other;
    throw;
  }
}

/// Null when no reader is lent that could come back.
std::unique_ptr<Readers::Reader> Readers::await_idle() {
  os::MutexLock const lock{mutex_};
  while (!closed_ && idle_.empty() && lent_ > 0) returned_.wait(mutex_);
  if (closed_ || idle_.empty()) return nullptr;
  ++lent_;
  auto reader = std::move(idle_.back());
  idle_.pop_back();
  return reader;
}

void Readers::give_back(std::unique_ptr<Reader> reader) {
  {
    os::MutexLock const lock{mutex_};
    --lent_;
    if (reader) idle_.push_back(std::move(reader));
  }
  returned_.notify_all();
}

void Readers::close() {
  os::MutexLock const lock{mutex_};
  closed_ = true;
  returned_.notify_all();
  while (lent_ != 0) returned_.wait(mutex_);
  idle_.clear();
}

void update_search_index(Store& store) {
  for (bool is_behind = true; is_behind;)
    write(store, [&](Tx& tx) {
      is_behind = tx.update_search_index();
      return Outcome::commit;
    });
}

}  // namespace andon::store::engine
