#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace andon::os {

/// The QR code (ISO/IEC 18004) of a text: a row of `1` (dark) and `0` (light) modules for each line. The
/// quiet zone of four light modules around it is left out. Its error correction restores 15 % of the code.
std::vector<std::string> qr_code(std::string_view text);

}  // namespace andon::os
