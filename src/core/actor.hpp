#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace andon::core {

/// The actor of a change: `user:ann`, `worker:developer`, `runner:local`, `automation:planner`,
/// `telegram:77`, `system`.
enum class ActorKind { system, user, worker, runner, automation, telegram };

struct Actor {
  ActorKind kind = ActorKind::system;
  std::string name;  ///< empty for `system`
  bool operator==(Actor const&) const = default;
};

std::string to_text(Actor const& actor);
std::optional<Actor> parse_actor(std::string_view text);

}  // namespace andon::core
