#include "os/qr_code.hpp"

#include <qrcodegen/qrcodegen.hpp>

namespace andon::os {

std::vector<std::string> qr_code(std::string_view text) {
  using qrcodegen::QrCode;
  auto const segments = qrcodegen::QrSegment::makeSegments(std::string{text}.c_str());
  constexpr int kAnyMask = -1;
  auto const code = QrCode::encodeSegments(segments, QrCode::Ecc::MEDIUM, QrCode::MIN_VERSION,
                                           QrCode::MAX_VERSION, kAnyMask, false);
  std::vector<std::string> rows;
  for (int y = 0; y < code.getSize(); ++y) {
    auto& row = rows.emplace_back();
    for (int x = 0; x < code.getSize(); ++x) row += code.getModule(x, y) ? '1' : '0';
  }
  return rows;
}

}  // namespace andon::os
