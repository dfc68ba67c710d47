#pragma once

#include <cstdint>

namespace andon::tui {

/// A colour of the terminal: its own, one of the palette of 256, or red, green and blue.
struct Colour {
  enum class Kind : std::uint8_t { own, palette, rgb };
  Kind kind = Kind::own;
  std::uint8_t a = 0;  ///< index in the palette, or red
  std::uint8_t b = 0;  ///< green
  std::uint8_t c = 0;  ///< blue

  static constexpr Colour of(std::uint8_t index) { return {Kind::palette, index, 0, 0}; }
  static constexpr Colour of(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
    return {Kind::rgb, red, green, blue};
  }
  bool operator==(Colour const&) const = default;
};

/// The look of a cell. Whatever a colour says must be readable without it, too.
struct Style {
  Colour text{};
  Colour ground{};
  bool bold = false;
  bool dim = false;
  bool underline = false;
  bool reverse = false;
  bool operator==(Style const&) const = default;
};

}  // namespace andon::tui
