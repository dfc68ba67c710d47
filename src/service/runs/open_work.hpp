#pragma once

#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "service/requests.hpp"

namespace andon::service {

// The work tree of a task for people: to look into it, and to see what its server shows.

/// A task with the board whose work tree it has.
struct TreeQuestion {
  core::Task task;
  core::Board board;
};
void describe(auto& field, TreeQuestion const*) {
  field(&TreeQuestion::task, "task");
  field(&TreeQuestion::board, "board");
}

enum class PreviewState { running, ended };
inline constexpr std::array<std::string_view, 2> kPreviewStateNames{"running", "ended"};
constexpr auto const& wire_names(PreviewState) { return kPreviewStateNames; }

/// The server that shows the work of a task.
struct Preview {
  PreviewState state = PreviewState::running;
  int port = 0;
  std::string url;
  core::Instant started{};
  std::string output{};  ///< the end of it, when it has ended
};
void describe(auto& field, Preview const*) {
  field(&Preview::state, "state", "running or ended", core::always);
  field(&Preview::port, "port", "The port it should listen on", core::always);
  field(&Preview::url, "url", "Where it is seen on the machine with the work tree", core::always);
  field(&Preview::started, "started", "When it began", core::always);
  field(&Preview::output, "output", "The end of its output, when it has ended");
}

struct OpenedWork {
  core::TaskId task = 0;
  std::string board;
  std::string title;
  std::string branch;
  std::string directory;
  std::map<std::string, std::string> environment;
  std::string remark{};
  bool can_preview = false;
  std::optional<Preview> preview;
};
void describe(auto& field, OpenedWork const*) {
  field(&OpenedWork::task, "task", "Number of the task", core::always);
  field(&OpenedWork::board, "board", "Its board", core::always);
  field(&OpenedWork::title, "title", "Its title", core::always);
  field(&OpenedWork::branch, "branch", "The branch that is checked out");
  field(&OpenedWork::directory, "directory", "The work tree", core::always);
  field(&OpenedWork::environment, "environment", "Its variables: task, board and ports", core::always);
  field(&OpenedWork::remark, "remark", "What a person who works there must know");
  field(&OpenedWork::can_preview, "can_preview", "Whether the board has a preview", core::always);
  field(&OpenedWork::preview, "preview", "The server that shows the work");
}

/// Refuses a task whose board gives its tasks no work trees.
core::Result<TreeQuestion> open_work(OperationContext& ctx, TaskRequest const& request);
/// For a person who goes on with the work.
core::Result<TreeQuestion> take_work(OperationContext& ctx, TaskRequest const& request);

struct PreviewRequest {
  TaskRef id;
  bool stop = false;
};
void describe(auto& field, PreviewRequest const*) {
  field(&PreviewRequest::id, kIdField);
  field(&PreviewRequest::stop, "stop", "End the preview that runs", core::set_only);
}
struct PreviewQuestion {
  TreeQuestion of;
  bool stop = false;
};
void describe(auto& field, PreviewQuestion const*) {
  field(&PreviewQuestion::of, "of");
  field(&PreviewQuestion::stop, "stop");
}
/// Refuses to start a preview where an agent works, and on a board without a preview.
core::Result<PreviewQuestion> preview_work(OperationContext& ctx, PreviewRequest const& request);

}  // namespace andon::service
