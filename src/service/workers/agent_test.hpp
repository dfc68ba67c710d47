#pragma once

#include <optional>

#include "service/requests.hpp"

namespace andon::service {

/// The agent profile to be tested.
struct AgentTestRequest {
  std::string id;
};
void describe(auto& field, AgentTestRequest const*) {
  field(&AgentTestRequest::id, "id", "Name of the agent profile", core::required);
}

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
void describe(auto& field, AgentTest const*) {
  field(&AgentTest::id, "id", "Name of the agent profile", core::always);
  field(&AgentTest::title, "title", "What people read");
  field(&AgentTest::ready, "ready", "Whether a worker with it could start here", core::always);
  field(&AgentTest::program, "program", "The program that was found");
  field(&AgentTest::version, "version", "Version of the program");
  field(&AgentTest::signed_in, "signed_in",
        "Whether somebody has signed in to it; absent when that cannot be known");
  field(&AgentTest::sign, "sign", "What shows that somebody has signed in");
  field(&AgentTest::problems, "problems", "What prevents a start, one sentence each", core::always);
  field(&AgentTest::notes, "notes", "Remarks that prevent no start", core::always);
}

core::Result<AgentTestRequest> test_agent(OperationContext& ctx, AgentTestRequest const& request);

}  // namespace andon::service
