#include "reflect/described.hpp"

#include "bridge/conversation/message.hpp"

namespace andon {

template struct reflect::Described<bridge::Place>;

}  // namespace andon
