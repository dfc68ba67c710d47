#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "cli/commands/teams/team_file.hpp"
#include "service/teams/team.hpp"

namespace andon::cli {

// Role documents are files of the data directory (`roles/`), where the runner reads them.

/// The file within `roles/` that a worker's `prompt_file` names, with or without that folder before it.
std::string document_name(std::string_view prompt_file);

/// The differences between these documents and the existing ones.
std::vector<service::TeamChange> document_changes(std::filesystem::path const& data,
                                                  std::vector<RoleDocument> const& documents);
/// Puts the documents there.
void write_documents(std::filesystem::path const& data, std::vector<RoleDocument> const& documents);
/// Reads the existing documents among the names.
std::vector<RoleDocument> read_documents(std::filesystem::path const& data,
                                         std::vector<std::string> const& names);

}  // namespace andon::cli
