#pragma once

#include <functional>
#include <string>
#include <vector>

#include "store/markdown/board_folder.hpp"

namespace andon::store::markdown {

using OnWarning = std::function<void(std::string_view text)>;

/// A file to be written.
struct NewFile {
  std::string name;
  std::string old_name;  ///< of the file it takes the place of; empty for none
  Stamp base;            ///< of that file when it was read
  std::string text;
  mode_t mode = 0600;
  Look written{};  ///< what it is on disk
};

/// Puts files in their places so that after a crash each is whole and either none or all of them are new; on
/// return they are on disk. Several at once are noted in an intent first. The caller holds the board's lock.
void publish_tasks(BoardFolder const& folder, std::vector<NewFile>& files);
void publish_settings(BoardFolder const& folder, std::string const& text, Look& written);

/// Finishes what a crash left; a file that somebody changed since keeps what it has.
void recover(BoardFolder const& folder, OnWarning const& warn);

}  // namespace andon::store::markdown
