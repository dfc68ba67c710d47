#include "cli/views/display_path.hpp"

namespace andon::cli {

std::string display_path(std::filesystem::path const& directory, std::filesystem::path const& file) {
  auto const plain = file.lexically_normal();
  auto const relative = plain.lexically_relative(directory.lexically_normal());
  return relative.empty() || *relative.begin() == ".." ? plain.native() : relative.native();
}

}  // namespace andon::cli
