#pragma once

#include <iosfwd>

#include "mcp/protocol/protocol.hpp"

namespace andon::mcp {

/// Speaks the protocol over two streams, one message a line, until the input ends. Requests are answered in
/// their order, on one thread. Meanwhile the input is read, so that a client can cancel. A line that is too
/// long is refused and passed over. Changes are looked for each second while a client watches something.
void serve_stdio(Protocol& protocol, std::shared_ptr<Features> const& features, std::istream& in,
                 std::ostream& out);

}  // namespace andon::mcp
