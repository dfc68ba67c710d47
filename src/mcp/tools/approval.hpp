#pragma once

#include "mcp/tools/tool_call.hpp"

namespace andon::mcp {

/// The tool that Claude Code calls before it uses a tool which its level does not allow (its option
/// `--permission-prompt-tool`). A person answers on the board.
inline constexpr std::string_view kApprovalTool = "approve";

/// Whether a caller is offered it.
bool may_ask(service::Caller const& caller);
/// As `tools/list` tells it.
json::object described_approval();

/// Asks a person and waits for the answer, ten minutes at most. The result is one text with `behavior`:
/// `allow` or `deny`. All but a clear yes is a no.
void run_approval(StartCall start, service::Caller caller, json::object arguments, RequestContext context,
                  Respond respond);

}  // namespace andon::mcp
