#include "reflect/described.hpp"

#include "runner/supervision/supervised_check.hpp"

namespace andon {

template struct reflect::Described<runner::SupervisedCheck>;

}  // namespace andon
