#pragma once

namespace andon::os {

/// Returns the allocator's unused memory to the kernel. Takes a few milliseconds.
void give_back_memory();

}  // namespace andon::os
