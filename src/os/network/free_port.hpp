#pragma once

namespace andon::os {

/// True when this process can listen on the TCP port on all addresses of the machine.
bool is_port_free(int port);

}  // namespace andon::os
