#pragma once

#include <string>

#include "mcp/resources/resources.hpp"

namespace andon::mcp {

/// The prompts with their arguments, as `prompts/list` tells them.
json::array prompts(bool is_kanban_md);

/// The messages of a prompt. Texts of the board stand in it as documents, apart from its own words.
void get_prompt(StartCall const& start, service::Caller const& caller, std::string const& name,
                json::object const& arguments, Respond respond);

}  // namespace andon::mcp
