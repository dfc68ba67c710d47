#include "runner/runs/tree_setup.hpp"

#include "core/model/clone_url.hpp"
#include "runner/runs/repository_place.hpp"

namespace andon::runner {

std::filesystem::path tree_records(os::DataDirectory const& data) {
  return std::filesystem::absolute(data.root) / "trees";
}

TreeSetup tree_setup_of(core::Board const& board, os::DataDirectory const& data) {
  return {.repo = directory_of_copies(board.repo, board.name, data),
          .is_clone = core::is_clone_url(board.repo),
          .commands = board.setup,
          .cache = board.setup_cache,
          .limit = board.setup_timeout,
          .copy = board.copy,
          .ports = board.ports,
          .records = tree_records(data),
          .kept = std::filesystem::absolute(data.root) / "setups" / board.name};
}

}  // namespace andon::runner
