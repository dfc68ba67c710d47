#pragma once

#include <string>
#include <vector>

#include "core/field.hpp"

namespace andon::api {

/// An agent program that workers can be given.
struct AgentView {
  std::string id;
  std::string title;
  bool found = false;
  std::string version;
};
void describe(auto& field, AgentView const*) {
  field(&AgentView::id, "id", "Name of the profile", core::always);
  field(&AgentView::title, "title", "What people read");
  field(&AgentView::found, "found", "Whether its program is on this machine", core::always);
  field(&AgentView::version, "version", "Version of the program");
}

struct Agents {
  std::vector<AgentView> items;
};
void describe(auto& field, Agents const*) { field(&Agents::items, "items", "The agents", core::always); }

/// The agent profiles of this installation. Thread-safe.
class AgentDirectory {
 public:
  virtual ~AgentDirectory() = default;
  virtual Agents agents() = 0;
};

}  // namespace andon::api
