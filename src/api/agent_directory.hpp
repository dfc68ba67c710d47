#pragma once

#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "core/field.hpp"

namespace andon::api {

/// An agent program that workers can be given.
struct AgentView {
  std::string id;
  std::string title;
  bool found = false;
  std::string version;
};
BOOST_DESCRIBE_STRUCT(AgentView, (), (id, title, found, version))
inline constexpr std::array kAgentViewFields{
    core::Field{"id", "Name of the profile", core::always}, core::Field{"title", "What people read"},
    core::Field{"found", "Whether its program is on this machine", core::always},
    core::Field{"version", "Version of the program"}};
constexpr auto const& fields(AgentView const*) { return kAgentViewFields; }

struct Agents {
  std::vector<AgentView> items;
};
BOOST_DESCRIBE_STRUCT(Agents, (), (items))
inline constexpr std::array kAgentsFields{core::Field{"items", "The agents", core::always}};
constexpr auto const& fields(Agents const*) { return kAgentsFields; }

/// The agent profiles of this installation. Thread-safe.
class AgentDirectory {
 public:
  virtual ~AgentDirectory() = default;
  virtual Agents agents() = 0;
};

}  // namespace andon::api
