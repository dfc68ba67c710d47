#include "reflect/described.hpp"

#include "cli/commands/machine/hook_session.hpp"

namespace andon {

template struct reflect::Described<cli::HookMemory>;

}  // namespace andon
