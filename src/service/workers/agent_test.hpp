#pragma once

#include <optional>

#include "service/requests.hpp"

namespace andon::service {

/// The agent profile to be tested.
struct AgentTestRequest {
  std::string id;
};
BOOST_DESCRIBE_STRUCT(AgentTestRequest, (), (id))
inline constexpr std::array kAgentTestRequestFields{
    core::Field{"id", "Name of the agent profile", core::required}};
constexpr auto const& fields(AgentTestRequest const*) { return kAgentTestRequestFields; }

/// Whether a worker with an agent profile could start on the server's machine.
struct AgentTest {
  std::string id;
  std::string title;
  bool ready = false;
  std::string program;
  std::string version;
  std::optional<bool> signed_in;
  std::string sign;
  std::vector<std::string> problems;
  std::vector<std::string> notes;
};
BOOST_DESCRIBE_STRUCT(AgentTest, (), (id, title, ready, program, version, signed_in, sign, problems, notes))
inline constexpr std::array kAgentTestFields{
    core::Field{"id", "Name of the agent profile", core::always},
    core::Field{"title", "What people read"},
    core::Field{"ready", "Whether a worker with it could start here", core::always},
    core::Field{"program", "The program that was found"},
    core::Field{"version", "Version of the program"},
    core::Field{"signed_in", "Whether somebody has signed in to it; absent when that cannot be known"},
    core::Field{"sign", "What shows that somebody has signed in"},
    core::Field{"problems", "What prevents a start, one sentence each", core::always},
    core::Field{"notes", "Remarks that prevent no start", core::always}};
constexpr auto const& fields(AgentTest const*) { return kAgentTestFields; }

core::Result<AgentTestRequest> test_agent(OperationContext& ctx, AgentTestRequest const& request);

}  // namespace andon::service
