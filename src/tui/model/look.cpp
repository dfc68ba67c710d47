#include "tui/model/look.hpp"

#include <array>

#include "api/run_output.hpp"
#include "core/text/visible_text.hpp"

namespace andon::tui {
namespace {

struct StreamLook {
  std::string_view stream;
  Style style;
};
constexpr std::array kStreams{StreamLook{api::stream::kTool, kLink},
                              StreamLook{api::stream::kNotice, kCalling},
                              StreamLook{api::stream::kErr, Style{.text = Colour::of(208)}},
                              StreamLook{api::stream::kRaw, kFaint}, StreamLook{api::stream::kAndon, kFaint}};

}  // namespace

Style look_of_stream(std::string_view stream) {
  for (auto const& row : kStreams)
    if (row.stream == stream) return row.style;
  return {};
}

std::string printed_line(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\x1b[")) {
      auto end = i + 2;
      while (end < text.size() && static_cast<unsigned char>(text[end]) < 0x40U) ++end;
      i = end;
    } else if (text[i] == '\t') {
      out += "    ";
    } else if (text[i] != '\r' || i + 1 < text.size()) {
      out += text[i];
    }
  }
  return core::visible_line(out);
}

}  // namespace andon::tui
