#include "os/memory.hpp"

#include <malloc.h>

namespace andon::os {

void give_back_memory() { ::malloc_trim(0); }

}  // namespace andon::os
