#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/work_place.hpp"
#include "runner/git/git.hpp"

namespace andon::runner {

/// The places outside a repository from which git would read objects, refs and settings of it. They come from
/// `objects/info/alternates`, from links in place of its parts (`objects`, `config`), and from `include` in
/// the settings.
std::vector<std::string> outlying_parts(core::WorkPlace const& place);

/// Records the outlying parts of a repository when Andon first uses it. Later ones may be the choice of an
/// agent that works in it. `folder` is Andon's own.
void keep_outlying(std::filesystem::path const& folder, core::WorkPlace const& place);
/// The recorded parts; nothing when none were recorded.
std::optional<std::vector<std::string>> kept_outlying(std::filesystem::path const& folder,
                                                      core::WorkPlace const& place);

/// Why git must not read a repository that an agent may write: it has an outlying part that is neither its
/// lender nor recorded, or a link among its refs.
std::optional<std::string> why_unreadable(core::WorkPlace const& place, GitUse const& use,
                                          std::vector<std::string> const& parts);

/// A link among the objects; for git that can read everything.
std::optional<std::string> link_among_objects(core::WorkPlace const& place);

}  // namespace andon::runner
