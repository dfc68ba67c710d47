#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace andon::runner {

/// A text beneath one folder of the data directory as valid UTF-8, at most its first MiB; nothing where there
/// is no such file. Whoever may edit a worker names it, so no name leads out of that folder: not to the
/// administrator's token, and not through a link; such a name is a `SystemError`.
std::optional<std::string> read_document(std::filesystem::path const& folder, std::string const& name);

}  // namespace andon::runner
