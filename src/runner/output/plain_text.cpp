#include "runner/output/plain_text.hpp"

#include "core/text/visible_text.hpp"

namespace andon::runner {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::string as_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    auto const next = core::first_character(bytes);
    if (next.is_valid)
      out += bytes.substr(0, next.bytes);
    else
      out += "\xEF\xBF\xBD";
    bytes.remove_prefix(next.bytes);
  }
  return out;
}

std::string_view head(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text;
  while (longest > 0 && is_continuation(text[longest])) --longest;
  return text.substr(0, longest);
}

std::string_view tail(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text;
  auto from = text.size() - longest;
  while (from < text.size() && is_continuation(text[from])) ++from;
  return text.substr(from);
}

std::string shortened(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string{text};
  auto const kept = head(text, longest);
  return std::string{kept} + " … (" + std::to_string(text.size() - kept.size()) + " more bytes)";
}

std::string comma_list(std::vector<std::string> const& words) {
  std::string out;
  for (auto const& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

}  // namespace andon::runner
