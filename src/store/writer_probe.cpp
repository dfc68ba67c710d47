#include "store/writer_probe.hpp"

#include <utility>

#include "store/engine/unit/unit.hpp"

namespace andon::store {

void probe_writer(Store& store, Done done) {
  store.submit([](Tx&) { return Outcome::rollback; }, std::move(done));
}

}  // namespace andon::store
