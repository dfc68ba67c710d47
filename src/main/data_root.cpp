#include "main/data_root.hpp"

#include <variant>

namespace andon::main {

core::Result<std::filesystem::path> data_root(cli::Invocation& in) {
  ANDON_TRY(auto const place, data_place(in));
  return place.root;
}

core::Result<cli::DataDirectory> data_place(cli::Invocation& in) {
  auto const store = in.given().value("store").value_or(in.env().variable("ANDON_STORE"));
  if (auto const given = in.given().value("data"))
    return cli::DataDirectory{std::filesystem::absolute(*given), store};
  ANDON_TRY(auto const location, in.location());
  if (auto const* place = std::get_if<cli::DataDirectory>(&location)) return *place;
  return core::refuse(core::Code::kInvalidInput, "this command works on a data directory; give --dir", "dir");
}

}  // namespace andon::main
