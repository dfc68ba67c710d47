#pragma once

#include <iosfwd>

#include "mcp/protocol/protocol.hpp"

namespace andon::mcp {

/// Speaks the protocol over two streams, one message a line, until the input ends. Requests are answered in
/// their order. A line that is too long is refused and passed over.
void serve_stdio(Protocol const& protocol, Features& features, std::istream& in, std::ostream& out);

}  // namespace andon::mcp
