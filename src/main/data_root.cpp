#include "main/data_root.hpp"

#include <variant>

namespace andon::main {

core::Result<std::filesystem::path> data_root(cli::Invocation& in) {
  if (auto const given = in.given().value("data")) return std::filesystem::absolute(*given);
  ANDON_TRY(auto const location, in.location());
  if (auto const* place = std::get_if<cli::DataDirectory>(&location)) return place->root;
  return core::refuse(core::Code::kInvalidInput, "this command works on a data directory; give --dir", "dir");
}

}  // namespace andon::main
