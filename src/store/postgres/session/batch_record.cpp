#include "store/postgres/session/batch_record.hpp"

#include <algorithm>

#include "os/random.hpp"

namespace andon::store::postgres {
namespace {

constexpr std::size_t kNameBytes = 8;

}  // namespace

BatchRecord::BatchRecord() : server_(os::random_hex(kNameBytes)) {}

std::int64_t BatchRecord::next() {
  os::MutexLock const lock{mutex_};
  return ++given_;
}

std::int64_t BatchRecord::last() {
  os::MutexLock const lock{mutex_};
  return last_;
}

std::int64_t BatchRecord::expected() {
  os::MutexLock const lock{mutex_};
  return expected_;
}

void BatchRecord::note_commit(std::int64_t batch) {
  os::MutexLock const lock{mutex_};
  last_ = expected_ = batch;
}

/// Batches that were lost before and are not synced yet stay lost.
void BatchRecord::note_found(std::int64_t found, std::int64_t expected) {
  os::MutexLock const lock{mutex_};
  if (found >= std::min(expected, expected_)) return;
  bool const is_synced = lost_.last <= synced_;
  lost_ = {is_synced ? found : std::min(found, lost_.after), last_};
  expected_ = found;
}

bool BatchRecord::end_sync(std::int64_t last) {
  os::MutexLock const lock{mutex_};
  bool const has_lost = lost_.last > synced_ && lost_.after < last;
  synced_ = std::max(synced_, last);
  return !has_lost;
}

}  // namespace andon::store::postgres
