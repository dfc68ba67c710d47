#pragma once

#include "mcp/protocol/exchange.hpp"
#include "mcp/tools/tools.hpp"

namespace andon::mcp {

/// Starts a call; the reply comes once, perhaps on another thread.
using StartCall = std::function<void(api::Call, api::Reply)>;

/// A tool with its arguments.
struct ToolCall {
  OfferedTool tool;
  json::object arguments;
  service::Caller caller;
  StartCall start;
  RequestContext context;
};

/// Runs a tool. One that waits tells its progress, and ends when its client gives it up.
void run_tool(ToolCall call, Respond respond);

}  // namespace andon::mcp
