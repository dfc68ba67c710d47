#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace andon::runner {

/// Reads a text beneath one folder of the data directory as valid UTF-8, at most its first MiB; nothing when
/// the file does not exist. An editor of workers chooses the name, so a name that leads out of the folder is
/// a `SystemError`. That protects, for example, the administrator's token, also against links.
std::optional<std::string> read_document(std::filesystem::path const& folder, std::string const& name);

}  // namespace andon::runner
