#pragma once

#include <string>

#include "cli/command_line/invocation.hpp"

namespace andon::cli {

/// An operation's answer as text for a person: the sentence of its row, the view of its type, else `key:
/// value` lines.
core::Result<std::string> view_of(Invocation& in, api::Operation const& operation,
                                  boost::json::value const& answer);

/// The sentence with every `{field}` filled in from the answer.
std::string filled(std::string_view sentence, boost::json::object const& answer);

}  // namespace andon::cli
