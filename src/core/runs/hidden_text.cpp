#include "core/runs/hidden_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/runs/executed_paths.hpp"
#include "core/runs/path_kinds.hpp"
#include "core/runs/path_pattern.hpp"
#include "core/text/ascii.hpp"
#include "core/text/visible_text.hpp"

namespace andon::core {
namespace {

constexpr std::array<std::string_view, 78> kCodeEndings{
    "c",      "cc",    "cpp",   "cxx",    "h",      "hh",     "hpp",  "hxx",  "m",   "mm",  "rs",   "go",
    "py",     "pyi",   "pyx",   "js",     "mjs",    "cjs",    "jsx",  "ts",   "mts", "cts", "tsx",  "java",
    "kt",     "kts",   "scala", "groovy", "gradle", "swift",  "rb",   "rake", "php", "cs",  "fs",   "vb",
    "sh",     "bash",  "zsh",   "fish",   "ps1",    "psm1",   "bat",  "cmd",  "pl",  "pm",  "t",    "lua",
    "sql",    "ex",    "exs",   "erl",    "hs",     "clj",    "dart", "zig",  "nim", "jl",  "r",    "vue",
    "svelte", "astro", "css",   "scss",   "less",   "yml",    "yaml", "toml", "ini", "cfg", "conf", "cmake",
    "mk",     "tf",    "hcl",   "nix",    "proto",  "graphql"};
/// Texts in several languages, in which marks of direction and joiners are spelling.
constexpr std::array<std::string_view, 9> kTranslationEndings{"po",  "pot",        "xlf",  "xliff",  "arb",
                                                              "ftl", "properties", "resx", "strings"};
constexpr std::array<std::string_view, 7> kTranslationFolders{"locale", "locales", "i18n",        "lang",
                                                              "langs",  "l10n",    "translations"};
constexpr std::size_t kFarBehind = 150;  ///< blanks

std::string ending_of(std::string_view path) {
  auto const name = name_of_path(path);
  auto const dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string{} : ascii_lower(name.substr(dot + 1));
}

bool has_code_ending(std::string_view path) {
  auto const ending = ending_of(path);
  return std::ranges::find(kCodeEndings, ending) != kCodeEndings.end();
}

bool is_translation(std::string_view path) {
  auto const ending = ending_of(path);
  return std::ranges::find(kTranslationEndings, ending) != kTranslationEndings.end() ||
         std::ranges::any_of(kTranslationFolders, [&](std::string_view folder) {
           return is_like(path, PathPart::folder, folder);
         });
}

using Strictness = HiddenText::Strictness;

Strictness strictness_of(std::string_view path) {
  if (is_translation(path)) return Strictness::translation;
  return is_code(path) ? Strictness::code : Strictness::text;
}

std::string in_hex(std::uint32_t point) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (int shift = 20; shift >= 0; shift -= 4) {
    auto const digit = kDigits[(point >> static_cast<unsigned>(shift)) & 15U];
    if (!out.empty() || digit != '0' || shift < 16) out += digit;
  }
  return "U+" + out;
}

bool is_between(std::uint32_t point, std::uint32_t first, std::uint32_t last) {
  return point >= first && point <= last;
}

bool overrides_direction(std::uint32_t point) { return is_between(point, 0x202D, 0x202E); }
bool is_direction(std::uint32_t point) {
  return is_between(point, 0x202A, 0x202E) || is_between(point, 0x2066, 0x2069);
}
bool is_tag(std::uint32_t point) { return is_between(point, 0xE0000, 0xE0FFF); }
bool is_blank_letter(std::uint32_t point) {
  return point == 0x115F || point == 0x1160 || point == 0x3164 || point == 0xFFA0 || point == 0x00AD;
}
bool is_cyrillic(std::uint32_t point) { return is_between(point, 0x0400, 0x052F); }
/// Letters that are written from right to left, and letters of Indic scripts, which need joiners.
bool needs_marks(std::uint32_t point) { return is_between(point, 0x0590, 0x0DFF); }

/// True for a character that is hidden, but that its neighbours explain.
bool is_explained(std::uint32_t point, Strictness strictness, bool has_marked_script) {
  bool const is_mark =
      point == 0x200E || point == 0x200F || point == 0x061C || point == 0x200C || point == 0x200D;
  if (is_tag(point) || overrides_direction(point)) return false;
  if (strictness == Strictness::translation) return true;
  if (is_mark) return has_marked_script || strictness == Strictness::text;
  return strictness == Strictness::text && !is_direction(point);
}

std::string name_of_hidden(std::uint32_t point) {
  if (is_direction(point)) return "text that is shown in another order (" + in_hex(point) + ")";
  if (point < 0x20 || is_between(point, 0x7F, 0x9F)) return "a control character (" + in_hex(point) + ")";
  return "a character that is not shown (" + in_hex(point) + ")";
}

bool has_marked_script(std::string_view line) {
  while (!line.empty()) {
    auto const character = first_character(line);
    if (character.is_valid && needs_marks(character.point)) return true;
    line.remove_prefix(character.bytes);
  }
  return false;
}

/// True for a word with letters of ASCII and Cyrillic letters, which look like them.
bool has_mixed_word(std::string_view line) {
  bool has_latin = false, has_cyrillic = false;
  while (!line.empty()) {
    auto const [point, bytes, is_valid] = first_character(line);
    bool const is_latin = point < 0x80 && is_ascii_letter(static_cast<char>(point));
    bool const is_letter = is_valid && (is_latin || is_cyrillic(point));
    has_latin = is_letter && (has_latin || is_latin);
    has_cyrillic = is_letter && (has_cyrillic || is_cyrillic(point));
    if (has_latin && has_cyrillic) return true;
    line.remove_prefix(bytes);
  }
  return false;
}

bool is_plain(std::string_view line) {
  return std::ranges::all_of(line, [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; });
}

std::string hidden_character(std::string_view line, Strictness strictness) {
  bool const marked = has_marked_script(line);
  std::string_view rest = line;
  for (CharacterReader reader{line}; !reader.at_end();) {
    auto const step = reader.next();
    rest.remove_prefix(step.bytes.size());
    if (!step.character.is_valid) continue;  // another encoding, or a binary file
    auto const point = step.character.point;
    if (point == '\f' || point == '\v' || (point == 0xFEFF && rest.size() + 3 == line.size())) continue;
    bool const is_hidden = step.is_hidden || is_blank_letter(point);
    bool const is_control = point < 0x20 || is_between(point, 0x7F, 0x9F);
    if (is_control && strictness != Strictness::code) continue;
    if (is_hidden && !is_explained(point, strictness, marked)) return name_of_hidden(point);
  }
  return {};
}

/// True for text that stands so far behind blanks that an editor shows none of it.
bool has_text_far_behind(std::string_view line) {
  std::size_t blanks = 0;
  for (char const c : line) {
    if (c == ' ' || c == '\t') {
      blanks += c == '\t' ? 4 : 1;
      continue;
    }
    if (blanks >= kFarBehind) return true;
    blanks = 0;
  }
  return false;
}

}  // namespace

bool is_code(std::string_view path) {
  auto const name = name_of_path(path);
  bool const is_build_file = is_ascii_equal(name, "makefile") || is_ascii_equal(name, "dockerfile") ||
                             is_ascii_equal(name, "package.json");
  return is_build_file || has_code_ending(path) || !executor_of(path).empty();
}

HiddenText::HiddenText(std::string_view path)
    : strictness_(strictness_of(path)), is_read_(!is_of_kind(path, PathKind::generated)) {}

std::string HiddenText::in(std::string_view line) const {
  if (!is_read_) return {};
  if (line.ends_with('\r')) line.remove_suffix(1);
  bool const is_code_line = strictness_ == Strictness::code;
  if (line.size() > (is_code_line ? kLongestCodeLine : kLongestTextLine))
    return "a line of " + std::to_string(line.size()) + " bytes";
  if (is_code_line && has_text_far_behind(line))
    return "text behind " + std::to_string(kFarBehind) + " blanks";
  if (is_plain(line)) return {};
  if (line.find('\r') != std::string_view::npos && is_code_line) return "a carriage return within the line";
  if (auto hidden = hidden_character(line, strictness_); !hidden.empty()) return hidden;
  return is_code_line && has_mixed_word(line) ? "a word of Latin and Cyrillic letters" : std::string{};
}

}  // namespace andon::core
