#include "service/check_text.hpp"

#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"

namespace andon::service {
namespace {

std::unexpected<core::Error> invalid(std::string_view field, std::string_view what) {
  return core::refuse(core::Code::kInvalidInput, "\"" + std::string{field} + "\" " + std::string{what},
                      std::string{field});
}

}  // namespace

core::Result<void> check_text(std::string const& text, std::string_view field, std::size_t most) {
  if (core::is_blank(text)) return invalid(field, "must say something");
  if (text.size() > most) return invalid(field, "may have at most " + std::to_string(most >> 10U) + " KiB");
  if (core::is_unsafe_text(text)) return invalid(field, "must not contain control characters");
  return {};
}

}  // namespace andon::service
