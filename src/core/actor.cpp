#include "core/actor.hpp"

#include <array>

namespace andon::core {
namespace {
constexpr std::array<std::string_view, 6> kKinds{"system", "user",       "worker",
                                                 "runner", "automation", "telegram"};
}

std::string to_text(Actor const& actor) {
  std::string out{kKinds[static_cast<std::size_t>(actor.kind)]};
  if (actor.kind != ActorKind::system) out += ":" + actor.name;
  return out;
}

std::optional<Actor> parse_actor(std::string_view text) {
  if (text == kKinds[0]) return Actor{};
  auto const colon = text.find(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
  for (std::size_t i = 1; i < kKinds.size(); ++i)
    if (text.substr(0, colon) == kKinds[i])
      return Actor{static_cast<ActorKind>(i), std::string{text.substr(colon + 1)}};
  return std::nullopt;
}

}  // namespace andon::core
