#include "core/text/render_template.hpp"

#include "core/text/names.hpp"

namespace andon::core {
namespace {

constexpr std::string_view kOpen = "{{", kClose = "}}";

std::string_view trimmed(std::string_view name) {
  while (name.starts_with(' ')) name.remove_prefix(1);
  while (name.ends_with(' ')) name.remove_suffix(1);
  return name;
}

}  // namespace

std::string render_template(std::string_view text, ValueOf const& value_of, std::size_t most) {
  std::string out;
  while (out.size() <= most) {
    auto const close = text.find(kClose);
    auto const open = text.substr(0, close).rfind(kOpen);
    if (close == std::string_view::npos) break;
    auto const end = close + kClose.size();
    auto const value = open == std::string_view::npos
                           ? std::nullopt
                           : value_of(trimmed(text.substr(open + kOpen.size(), close - open - kOpen.size())));
    out += value ? text.substr(0, open) : text.substr(0, end);
    if (value) out += *value;
    text.remove_prefix(end);
  }
  out += text;
  return std::string{beginning(out, most)};
}

}  // namespace andon::core
