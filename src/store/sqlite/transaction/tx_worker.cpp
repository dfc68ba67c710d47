#include "store/sqlite/rows/document.hpp"
#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kWorkerPut{"worker_put"};
Query const kWorkerRemove{"worker_remove"};
Query const kUnsettle{"claims_unsettle_of"};

}  // namespace

core::Worker const* Transaction::worker(std::string_view name) { return board_cache_.worker(name); }

std::vector<core::Worker> Transaction::workers() {
  std::vector<core::Worker> out;
  for (auto const& [name, worker] : board_cache_.workers()) out.push_back(*worker);
  return out;
}

void Transaction::put(core::Worker const& worker) {
  before_write();
  bool const is_new = !board_cache_.worker(worker.name);
  db_.run(kWorkerPut, worker.name, document_of(worker));
  reshape();
  board_cache_.put(worker);
  if (is_new) db_.run(kUnsettle, worker.name);
}

void Transaction::remove_worker(std::string_view name) {
  if (!board_cache_.worker(name)) return;
  before_write();
  std::string const gone{name};  // `name` may point into the entry that is removed
  db_.run(kWorkerRemove, gone);
  reshape();
  board_cache_.remove_worker(gone);
}

}  // namespace andon::store::sqlite
