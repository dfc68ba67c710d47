#include <future>

#include "store/engine/unit/unit.hpp"

namespace andon::store {

void write(Store& store, std::function<Outcome(Tx&)> work) {
  std::promise<void> promise;
  auto finished = promise.get_future();
  store.submit([work = std::move(work)](Tx& tx) { return work(tx); },
               [&promise](std::exception_ptr trouble) {
                 if (trouble)
                   promise.set_exception(std::move(trouble));
                 else
                   promise.set_value();
               });
  finished.get();
}

namespace engine {

void update_search_index(Store& store) {
  for (bool is_behind = true; is_behind;)
    write(store, [&](Tx& tx) {
      is_behind = tx.update_search_index();
      return Outcome::commit;
    });
}

}  // namespace engine
}  // namespace andon::store
