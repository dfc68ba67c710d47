#pragma once

#include "service/boards/boards.hpp"

namespace andon::service {

struct AttachBoardRequest {
  std::string directory;
  std::string name;
  std::string prefix;
};
void describe(auto& field, AttachBoardRequest const*) {
  field(&AttachBoardRequest::directory, "directory",
        "Directory with config.yml and its tasks, or one that has them in kanban", core::required);
  field(&AttachBoardRequest::name, "name", "Name on this server; the one in the files when empty");
  field(&AttachBoardRequest::prefix, "prefix",
        "Prefix of task keys here; from the files or the name when empty");
}

struct DetachedBoard {
  std::string name;
  std::string directory;
  std::string status;
};
void describe(auto& field, DetachedBoard const*) {
  field(&DetachedBoard::name, "name", "Name the board had", core::always);
  field(&DetachedBoard::directory, "directory", "Directory of its files, which stay as they are",
        core::always);
  field(&DetachedBoard::status, "status", "detached, or detaching while its tasks are forgotten",
        core::always);
}

/// Makes a directory of Markdown files a board of this server. Its files stay the truth.
core::Result<core::Board> attach_board(OperationContext& ctx, AttachBoardRequest const& request);
/// Removes an attached board with all that this server kept of it but its history; the files are not touched.
core::Result<DetachedBoard> detach_board(OperationContext& ctx, BoardRequest const& request);

}  // namespace andon::service
