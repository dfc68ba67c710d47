#pragma once

#include <string>
#include <string_view>

namespace andon::core {

/// The text without the control sequences of terminals (ECMA-48): colours, cursor movements, titles, links,
/// choices of character sets, and escape characters that begin nothing. For text that is not shown by a
/// terminal; what else nobody sees, `visible_text` writes out.
std::string without_escapes(std::string_view text);

}  // namespace andon::core
