#include "reflect/described.hpp"

#include "runner/setup/tree_record.hpp"

namespace andon {

template struct reflect::Described<runner::PortRange>;
template struct reflect::Described<runner::TreeRecord>;

}  // namespace andon
