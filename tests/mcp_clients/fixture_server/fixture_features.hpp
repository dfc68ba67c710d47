#pragma once

#include <atomic>
#include <functional>

#include "mcp/protocol/features.hpp"

namespace andon::test {

/// How often each list changed.
struct ListVersions {
  std::atomic<int> tools = 0;
  std::atomic<int> prompts = 0;
};

/// The tools, resources and prompts that the conformance suite of MCP asks of a server under test.
class FixtureFeatures : public mcp::Features {
 public:
  explicit FixtureFeatures(ListVersions& versions) : versions_(versions) {}

  std::string instructions() const override { return "A server for tests."; }
  mcp::json::array tools() override;
  void call_tool(std::string const& name, mcp::json::object arguments, mcp::RequestContext context,
                 mcp::Respond respond) override;
  void list_resources(std::string const& cursor, mcp::Respond respond) override;
  mcp::json::array resource_templates() override;
  void read_resource(std::string const& uri, mcp::Respond respond) override;
  mcp::json::array prompts() override;
  void get_prompt(std::string const& name, mcp::json::object arguments, mcp::RequestContext context,
                  mcp::Respond respond) override;
  void complete(std::string const& about, std::string const& name, std::string const& begun,
                mcp::Respond respond) override;
  mcp::ListChanges changing_lists() const override { return {.tools = true, .prompts = true}; }
  void changes_since(std::string const& place, mcp::TellChanges tell) override;

 private:
  ListVersions& versions_;
};

}  // namespace andon::test
