#include "core/model/worker.hpp"

#include <algorithm>

namespace andon::core {

std::vector<std::string> agents_of(Worker const& worker) {
  if (!worker.agents.empty()) return worker.agents;
  return worker.agent.empty() ? std::vector<std::string>{} : std::vector{worker.agent};
}

bool serves(Worker const& worker, std::string_view board) {
  return std::ranges::any_of(worker.boards, [&](auto const& name) { return name == "*" || name == board; });
}

}  // namespace andon::core
