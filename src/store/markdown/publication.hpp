#pragma once

#include <functional>
#include <string>
#include <vector>

#include "store/markdown/placement.hpp"

namespace andon::store::markdown {

using OnWarning = std::function<void(std::string_view text)>;

/// Puts files in their places so that after a crash each is whole and either none or all of them are new; on
/// return they are on disk. What takes more than one step is noted in an intent first. False when somebody
/// changed one of them since it was read: then all are as they were. The caller holds the board's lock.
bool publish_tasks(BoardFolder const& folder, std::vector<NewFile>& files);
/// The same for `config.yml`. `base` is what was read of it; nothing for a board that is made.
bool publish_settings(BoardFolder const& folder, std::string const& text, Content const* base, Look& written);

/// Finishes what a crash left; a file that somebody changed since keeps what it has.
void recover(BoardFolder const& folder, OnWarning const& warn);

}  // namespace andon::store::markdown
