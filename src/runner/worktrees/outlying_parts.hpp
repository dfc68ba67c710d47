#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/work_place.hpp"

namespace andon::runner {

/// The places outside a repository from which git would read objects, refs and settings of it. They come from
/// `objects/info/alternates`, from links in place of its parts (`objects`, `config`), and from `include` in
/// the settings.
std::vector<std::string> outlying_parts(core::WorkPlace const& place);

/// Why git must not read a repository: it has an outlying part that was not known when its first run began,
/// or a link among its refs. `records` as in `GitUse`.
std::optional<std::string> why_unreadable(core::WorkPlace const& place, std::filesystem::path const& records,
                                          std::vector<std::string> const& parts);

/// A link among the objects; for git that can read everything.
std::optional<std::string> link_among_objects(core::WorkPlace const& place);

}  // namespace andon::runner
