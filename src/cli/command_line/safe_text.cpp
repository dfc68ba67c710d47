#include "cli/command_line/safe_text.hpp"

#include "core/text/visible_text.hpp"

namespace andon::cli {

std::string one_line(std::string_view text) { return core::visible_line(text); }
std::string many_lines(std::string_view text) { return core::visible_text(text); }

}  // namespace andon::cli
