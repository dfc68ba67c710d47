#pragma once

#include "mcp/prompts/prompts.hpp"
#include "mcp/tools/tools.hpp"

namespace andon::mcp {

/// The board as a caller sees it: its operations as tools, its documents, its prompts.
class BoardFeatures : public Features {
 public:
  struct Settings {
    Names names = Names::andon;
    bool tells_lists = true;  ///< whether clients are told that the list of boards changed
  };

  BoardFeatures(StartCall start, service::Caller caller, Settings settings)
      : start_(std::move(start)), caller_(std::move(caller)), settings_(settings) {}

  std::string instructions() const override;
  json::array tools() override;
  void call_tool(std::string const& name, json::object arguments, RequestContext context,
                 Respond respond) override;
  void list_resources(std::string const& cursor, Respond respond) override;
  json::array resource_templates() override;
  void read_resource(std::string const& uri, Respond respond) override;
  json::array prompts() override;
  void get_prompt(std::string const& name, json::object arguments, RequestContext context,
                  Respond respond) override;
  void complete(std::string const& about, std::string const& name, std::string const& begun,
                Respond respond) override;
  ListChanges changing_lists() const override;
  void changes_since(std::string const& place, TellChanges tell) override;

 private:
  /// Adds the first board to the arguments, because none was named.
  void with_first_board(json::object arguments,
                        std::move_only_function<void(Outcome<json::object>)> then) const;

  StartCall start_;
  service::Caller caller_;
  Settings settings_;
};

}  // namespace andon::mcp
