#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.hpp"
#include "mcp/protocol/message.hpp"

namespace andon::mcp {

/// The names that tools are offered under.
enum class Names {
  andon,
  kanban_md,  ///< those that kanban-md plans for its own server
};

/// An operation as a tool.
struct OfferedTool {
  std::string name;
  api::Operation const* operation = nullptr;
};

/// The tools of a caller, in the order of the operation table. A run is offered what it may use, with the
/// fields that it needs.
std::vector<OfferedTool> tools_for(service::Caller const& caller, Names names);

/// Name, description, schemas and annotations, as `tools/list` tells them. The tools of runs tell no output
/// schema: they answer a short task.
json::object described(OfferedTool const& tool, service::Caller const& caller);

/// The call that a tool stands for. A run's own task and claim are filled in.
core::Result<api::Call> call_of(OfferedTool const& tool, json::object arguments,
                                service::Caller const& caller);

/// The result of a tool: the answer as text and as an object, or a refusal with what to do next.
json::object result_of(OfferedTool const& tool, core::Result<api::Answer> const& answer,
                       service::Caller const& caller);

}  // namespace andon::mcp
