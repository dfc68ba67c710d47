#include "bridge/conversation/chat_board.hpp"

#include "bridge/conversation/chat_text.hpp"
#include "service/boards/boards.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/tasks.hpp"
#include "service/workers/workers.hpp"

namespace andon::bridge {
namespace {

using core::Code;
using core::Result;

/// Topics of one chat are actors of their own: an act in one of them is news in another.
std::string actor_name(Place const& place) {
  auto name = std::to_string(place.chat);
  return place.thread == 0 ? name : name + "/" + std::to_string(place.thread);
}

constexpr std::size_t kLongestReference = 40;

}  // namespace

ChatBoard::ChatBoard(api::Executor& executor, Chat const& chat, std::string key, Watches* watches)
    : executor_(executor),
      chat_(chat),
      caller_{{core::ActorKind::telegram, actor_name(chat.place)},
              service::Role::person,
              core::Source::telegram,
              {}},
      key_(std::move(key)),
      watches_(watches),
      board_(chat.board) {}

Result<std::string> ChatBoard::board_name() {
  if (!board_.empty()) return board_;
  ANDON_TRY(auto const boards, (call<&service::list_boards>({})));
  if (boards.items.empty()) return core::refuse(Code::kBoardNotFound, "there is no board yet");
  board_ = boards.items.front().name;
  return board_;
}

core::Result<core::Task> ChatBoard::task(core::TaskId id) { return task(std::to_string(id)); }

Result<core::Board> ChatBoard::board() {
  ANDON_TRY(auto const name, board_name());
  return call<&service::get_board>({name});
}

Result<core::Task> ChatBoard::task(std::string_view reference) {
  auto const named = one_line(reference, kLongestReference);
  auto found = call<&service::get_task>({{named}});
  if (!found && found.error().code != Code::kTaskNotFound) return found;
  bool is_shown = false;
  if (found) ANDON_SET(is_shown, shows(*found));
  if (!is_shown) return core::refuse(Code::kTaskNotFound, "this chat has no task " + named);
  return found;
}

Result<bool> ChatBoard::shows(core::Task const& task) {
  ANDON_TRY(auto const name, board_name());
  if (task.board != name) return false;
  auto const& worker = chat_.worker;
  if (worker.empty() || task.assignee == worker || task.claimed_by == worker ||
      task.created_by == core::to_text(caller_.actor))
    return true;
  if (!task.run) return false;
  auto const run = call<&service::get_run>({*task.run});
  return run && run->worker == worker;
}

std::string ChatBoard::worker_title(std::string const& name) {
  auto const [place, is_new] = titles_.try_emplace(name, name);
  if (!is_new) return place->second;
  if (auto const worker = call<&service::get_worker>({name}); worker && !worker->title.empty())
    place->second = one_line(worker->title);
  return place->second;
}

std::string ChatBoard::actor_title(core::Actor const& actor) {
  switch (actor.kind) {
    case core::ActorKind::user: return actor.name;
    case core::ActorKind::worker: return worker_title(actor.name);
    case core::ActorKind::automation: return "automation " + actor.name;
    case core::ActorKind::telegram: return actor == caller_.actor ? "this chat" : "another chat";
    default: return {};
  }
}

}  // namespace andon::bridge
