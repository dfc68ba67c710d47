#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace andon::os {

/// A Unix socket at which a program of this user can make another program act for it.
struct ReachableSocket {
  std::string_view of;  ///< the program that listens
  std::filesystem::path path;
};

/// The known sockets that are there and that this user may connect to: those of container engines, of
/// terminals, of key agents and of the user's session. A confinement does not close them, since Landlock does
/// not govern connecting to a path. `variable` gives a variable of the environment, or an empty text.
std::vector<ReachableSocket> reachable_sockets(std::function<std::string(char const*)> const& variable);

}  // namespace andon::os
