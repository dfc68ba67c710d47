#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/call.hpp"
#include "mcp/protocol/features.hpp"

namespace andon::mcp {

/// Starts a call; the reply comes once, perhaps on another thread.
using StartCall = std::function<void(api::Call, api::Reply)>;

/// The call that reads the document at an address: `andon://boards/NAME`, `andon://tasks/ID`,
/// `andon://runs/ID`. Nothing for other addresses.
std::optional<api::Call> call_for(std::string_view uri, service::Caller const& caller);

/// The forms of the addresses.
json::array resource_templates();

/// Lists the documents of a caller: the boards, or what a run works on.
void list_resources(StartCall const& start, service::Caller const& caller, std::string const& cursor,
                    Respond respond);

/// The document of an answer, as the content of a resource.
json::object document(std::string_view uri, std::string const& answer);

}  // namespace andon::mcp
