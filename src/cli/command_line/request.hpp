#pragma once

#include <istream>
#include <string>
#include <vector>

#include "cli/command_line/invocation.hpp"

namespace andon::cli {

/// The request an operation's command line asks for: words and flags as members, with what the environment
/// knows.
core::Result<boost::json::object> request_of(Invocation& in);

/// The refusal of a text that is no date.
core::Error invalid_date(std::string const& field, std::string const& input);

/// The IDs in `1,2,3`: trimmed, each once, in order. Refuses an empty list.
core::Result<std::vector<std::string>> split_ids(std::string_view text);

/// The standard input to its end; more than `limit` bytes are refused and not kept.
core::Result<std::string> read_input(std::istream& in, std::size_t limit);

/// The whole standard input or the content of a file, for people's texts.
core::Result<std::string> read_text(Environment const& env, std::string const& file);

}  // namespace andon::cli
