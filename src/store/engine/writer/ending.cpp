#include "store/engine/writer/ending.hpp"

#include <string>
#include <utility>

namespace andon::store::engine {
namespace {

std::string text_of(std::exception_ptr const& trouble) {
  try {
    std::rethrow_exception(trouble);
  } catch (std::exception const& error) {
    return error.what();
  }
}

}  // namespace

void Ending::stop(std::exception_ptr reason, Moment end) {
  reason_ = std::move(reason);
  end_ = end;
}

void Ending::end_process(std::exception_ptr const& reason) const { on_fatal_(text_of(reason)); }

bool Ending::take_due(Moment now) {
  if (!end_ || now < *end_) return false;
  end_.reset();
  return true;
}

}  // namespace andon::store::engine
