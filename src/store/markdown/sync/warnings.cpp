#include "store/markdown/sync/warnings.hpp"

namespace andon::store::markdown {

void Warnings::tell(std::string const& text) {
  os::MutexLock const lock{mutex_};
  if (warned_.insert(text).second) tell_(text);
}

}  // namespace andon::store::markdown
