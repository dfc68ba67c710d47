#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/protocol/features.hpp"
#include "mcp/tools/tool_call.hpp"

namespace andon::mcp {

/// The call that reads the document at an address: `andon://boards/NAME`, `andon://tasks/ID`,
/// `andon://runs/ID`. Nothing for other addresses.
std::optional<api::Call> call_for(std::string_view uri, service::Caller const& caller);

/// The address of a document, by the first part of it (`tasks`) and its number or name.
std::string address_of(std::string_view kind, std::string_view name);

/// The forms of the addresses.
json::array resource_templates();

/// Lists the documents of a caller: the boards, or what a run works on.
void list_resources(StartCall const& start, service::Caller const& caller, std::string const& cursor,
                    Respond respond);

/// The document of an answer, as the content of a resource.
json::object document(std::string_view uri, std::string const& answer);

}  // namespace andon::mcp
