#pragma once

#include <string>
#include <string_view>

namespace andon::core {

/// True for a board's `repo` that each host clones: `https://`, `http://`, `ssh://`, `file:///` or
/// `user@host:path`. Every other text is a path on the server's machine.
bool is_clone_url(std::string_view repo);

/// Why a text cannot be a board's `repo`, as a sentence that says what to do; empty for a fit one.
std::string fault_of_repo(std::string_view repo);

}  // namespace andon::core
