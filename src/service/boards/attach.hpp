#pragma once

#include "service/boards/boards.hpp"

namespace andon::service {

struct AttachBoardRequest {
  std::string directory;
  std::string name;
  std::string prefix;
};
BOOST_DESCRIBE_STRUCT(AttachBoardRequest, (), (directory, name, prefix))
inline constexpr std::array kAttachBoardFields{
    core::Field{"directory", "Directory with config.yml and its tasks, or one that has them in kanban",
                core::required},
    core::Field{"name", "Name on this server; the one in the files when empty"},
    core::Field{"prefix", "Prefix of task keys here; from the files or the name when empty"}};
constexpr auto const& fields(AttachBoardRequest const*) { return kAttachBoardFields; }

struct DetachedBoard {
  std::string name;
  std::string directory;
  std::string status;
};
BOOST_DESCRIBE_STRUCT(DetachedBoard, (), (name, directory, status))
inline constexpr std::array kDetachedBoardFields{
    core::Field{"name", "Name the board had", core::always},
    core::Field{"directory", "Directory of its files, which stay as they are", core::always},
    core::Field{"status", "detached, or detaching while its tasks are forgotten", core::always}};
constexpr auto const& fields(DetachedBoard const*) { return kDetachedBoardFields; }

/// Makes a directory of Markdown files a board of this server. Its files stay the truth.
core::Result<core::Board> attach_board(OperationContext& ctx, AttachBoardRequest const& request);
/// Removes an attached board with all that this server kept of it but its history; the files are not touched.
core::Result<DetachedBoard> detach_board(OperationContext& ctx, BoardRequest const& request);

}  // namespace andon::service
