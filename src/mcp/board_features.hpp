#pragma once

#include "mcp/prompts/prompts.hpp"
#include "mcp/tools/tools.hpp"

namespace andon::mcp {

/// The board as a caller sees it: its operations as tools, its documents, its prompts.
class BoardFeatures : public Features {
 public:
  BoardFeatures(StartCall start, service::Caller caller, Names names = Names::andon)
      : start_(std::move(start)), caller_(std::move(caller)), names_(names) {}

  std::string instructions() const override;
  json::array tools() override;
  void call_tool(std::string const& name, json::object arguments, Respond respond) override;
  void list_resources(std::string const& cursor, Respond respond) override;
  json::array resource_templates() override;
  void read_resource(std::string const& uri, Respond respond) override;
  json::array prompts() override;
  void get_prompt(std::string const& name, json::object arguments, Respond respond) override;
  void complete(std::string const& about, std::string const& name, std::string const& begun,
                Respond respond) override;

 private:
  /// Calls a tool on the first board, because none was named.
  void call_on_first_board(OfferedTool tool, json::object arguments, Respond respond);
  void run_tool(OfferedTool tool, json::object arguments, Respond respond);

  StartCall start_;
  service::Caller caller_;
  Names names_;
};

}  // namespace andon::mcp
