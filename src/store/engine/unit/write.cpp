#include "store/engine/unit/write.hpp"

#include <future>
#include <utility>

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

}  // namespace andon::store
