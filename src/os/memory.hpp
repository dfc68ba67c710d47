#pragma once

namespace andon::os {

/// Gives memory that the allocator keeps for later back to the machine. Takes a few milliseconds.
void give_back_memory();

}  // namespace andon::os
