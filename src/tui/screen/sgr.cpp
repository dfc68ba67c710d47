#include "tui/screen/sgr.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace andon::tui {
namespace {

struct Rgb {
  int red;
  int green;
  int blue;
};

/// The sixteen colours as xterm has them by default; other terminals have similar ones.
constexpr std::array kSixteen{
    Rgb{0, 0, 0},       Rgb{205, 0, 0},   Rgb{0, 205, 0},   Rgb{205, 205, 0},
    Rgb{0, 0, 238},     Rgb{205, 0, 205}, Rgb{0, 205, 205}, Rgb{229, 229, 229},
    Rgb{127, 127, 127}, Rgb{255, 0, 0},   Rgb{0, 255, 0},   Rgb{255, 255, 0},
    Rgb{92, 92, 255},   Rgb{255, 0, 255}, Rgb{0, 255, 255}, Rgb{255, 255, 255},
};
/// The steps of the cube of 6 × 6 × 6 colours that follows them in the palette; 24 greys are the rest.
constexpr std::array kSteps{0, 95, 135, 175, 215, 255};
constexpr int kCube = 16;
constexpr int kGreys = 232;

Rgb of_palette(int index) {
  if (index < kCube) return kSixteen[static_cast<std::size_t>(index)];
  if (index >= kGreys) {
    int const grey = 8 + 10 * (index - kGreys);
    return {grey, grey, grey};
  }
  auto const step = [&](int weight) {
    return kSteps[static_cast<std::size_t>((index - kCube) / weight % 6)];
  };
  return {step(36), step(6), step(1)};
}

int distance(Rgb a, Rgb b) {
  int const red = a.red - b.red, green = a.green - b.green, blue = a.blue - b.blue;
  return red * red + green * green + blue * blue;
}

/// The nearest colour of the palette among [first, end).
int nearest(Rgb wanted, int first, int end) {
  int best = first, least = std::numeric_limits<int>::max();
  for (int i = first; i < end; ++i) {
    int const away = distance(wanted, of_palette(i));
    if (away >= least) continue;
    best = i;
    least = away;
  }
  return best;
}

Rgb rgb_of(Colour const& colour) {
  if (colour.kind == Colour::Kind::palette) return of_palette(colour.a);
  return {colour.a, colour.b, colour.c};
}

std::string palette_code(int index, bool is_ground) {
  int const ground = is_ground ? 10 : 0;
  if (index < 8) return std::to_string(30 + ground + index);
  if (index < kCube) return std::to_string(90 + ground + index - 8);
  return std::to_string(38 + ground) + ";5;" + std::to_string(index);
}

std::string rgb_code(Colour const& colour, bool is_ground) {
  auto out = std::to_string(is_ground ? 48 : 38) + ";2";
  for (auto const part : {colour.a, colour.b, colour.c}) out += ";" + std::to_string(part);
  return out;
}

std::string colour_code(Colour const& colour, Colours colours, bool is_ground) {
  if (colour.kind == Colour::Kind::own || colours == Colours::none) return {};
  bool const is_rgb = colour.kind == Colour::Kind::rgb;
  if (is_rgb && colours == Colours::rgb) return rgb_code(colour, is_ground);
  if (colours == Colours::sixteen && (is_rgb || colour.a >= kCube))
    return palette_code(nearest(rgb_of(colour), 0, kCube), is_ground);
  return palette_code(is_rgb ? nearest(rgb_of(colour), kCube, 256) : colour.a, is_ground);
}

}  // namespace

std::string sgr(Style const& style, Colours colours) {
  std::string out = "\x1b[0";
  if (style.bold) out += ";1";
  if (style.dim) out += ";2";
  if (style.underline) out += ";4";
  if (style.reverse) out += ";7";
  for (bool const is_ground : {false, true}) {
    auto const code = colour_code(is_ground ? style.ground : style.text, colours, is_ground);
    if (!code.empty()) out += ";" + code;
  }
  return out + "m";
}

}  // namespace andon::tui
