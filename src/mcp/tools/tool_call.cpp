#include "mcp/tools/tool_call.hpp"

#include <algorithm>

#include "core/model/task.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/pick.hpp"

namespace andon::mcp {
namespace {

using core::Code;

/// A wait is cut into pieces, so that it can tell its progress and end early.
constexpr core::Duration kPiece = std::chrono::seconds{2};
constexpr core::Duration kLongestWait = std::chrono::minutes{10};

void give(ToolCall const& call, core::Result<api::Answer> const& answer, Respond& respond) {
  respond(result_of(call.tool, answer, call.caller));
}

double seconds(core::Duration time) { return std::chrono::duration<double>(time).count(); }

/// A pick that waits until there is a task.
struct PatientPick : std::enable_shared_from_this<PatientPick> {
  ToolCall call;
  Respond respond;
  core::Duration wait{};
  core::Duration waited{};

  void ask() {
    auto next = call_of(call.tool, call.arguments, call.caller);
    if (!next) return give(call, std::unexpected(next.error()), respond);
    next->patience = std::min(kPiece, wait - waited);
    call.start(*std::move(next), [self = shared_from_this()](core::Result<api::Answer> answer) {
      self->take(std::move(answer));
    });
  }

  void take(core::Result<api::Answer> answer) {
    bool const is_over = call.context.exchange->is_cancelled();
    if (answer && is_over) return give_back(*std::move(answer));
    bool const has_none = !answer && (answer.error().code == Code::kNothingToPick ||
                                      answer.error().code == Code::kPickUnfinished);
    waited += kPiece;
    if (!has_none || is_over || waited >= wait) return give(call, answer, respond);
    call.context.progress(seconds(waited), seconds(wait), "no task yet");
    ask();
  }

  /// Releases a task that was picked for a client that had given up.
  void give_back(api::Answer picked) {
    auto const task = std::move(picked).as<core::Task>();
    if (!task) return give(call, std::unexpected(task.error()), respond);
    service::HeldTaskRequest release;
    release.id.text = std::to_string(task->id);
    call.start(api::call_of<&service::release_task>(std::move(release), call.caller),
               [self = shared_from_this()](core::Result<api::Answer> const&) {
                 give(self->call, core::refuse(Code::kNothingToPick, "the call was cancelled"),
                      self->respond);
               });
  }
};

/// The wait that a pick asks for; nothing for other calls.
core::Result<core::Duration> wait_of(api::Call const& call) {
  if (call.operation != &api::row_of<&service::pick_task>()) return core::Duration{};
  auto const& pick = *static_cast<service::PickRequest const*>(call.request.get());
  auto const wait = pick.wait.value_or(core::Duration{});
  if (wait < core::Duration{} || wait > kLongestWait)
    return core::refuse(Code::kInvalidInput, "\"wait\" must be from 0 to 10 minutes", "wait");
  return wait;
}

}  // namespace

void run_tool(ToolCall call, Respond respond) {
  auto made = call_of(call.tool, call.arguments, call.caller);
  if (!made) return give(call, std::unexpected(made.error()), respond);
  auto const wait = wait_of(*made);
  if (!wait) return give(call, std::unexpected(wait.error()), respond);
  if (*wait > core::Duration{}) {
    auto const pick = std::make_shared<PatientPick>();
    pick->call = std::move(call);
    pick->respond = std::move(respond);
    pick->wait = *wait;
    return pick->ask();
  }
  auto start = call.start;
  start(*std::move(made), [call = std::move(call), respond = std::move(respond)](
                              core::Result<api::Answer> answer) mutable { give(call, answer, respond); });
}

}  // namespace andon::mcp
