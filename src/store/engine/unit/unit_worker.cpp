#include "store/engine/driver.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {
core::Worker const* Unit::worker(std::string_view name) { return board_cache_.worker(name); }

std::vector<core::Worker> Unit::workers() {
  std::vector<core::Worker> out;
  for (auto const& [name, worker] : board_cache_.workers()) out.push_back(*worker);
  return out;
}

void Unit::put(core::Worker const& worker) {
  before_write();
  bool const is_new = !board_cache_.worker(worker.name);
  session_.write({.workers = {&worker}});
  reshape();
  board_cache_.put(worker);
  if (is_new)
    session_.write({.claims = {{.kind = ClaimsChange::Kind::unsettle_holder, .name = worker.name}}});
}

void Unit::remove_worker(std::string_view name) {
  if (!board_cache_.worker(name)) return;
  before_write();
  std::string const gone{name};  // `name` may point into the entry that is removed
  session_.write({.workers_removed = {gone}});
  reshape();
  board_cache_.remove_worker(gone);
}

}  // namespace andon::store::engine
