#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "api/call.hpp"
#include "bridge/conversation/message.hpp"
#include "bridge/conversation/settings.hpp"
#include "core/error.hpp"
#include "core/id.hpp"

namespace andon::core {
struct Board;
struct Task;
}  // namespace andon::core

namespace andon::bridge {

/// The board as one chat sees and changes it: typed calls of operations with the rights of a person, and no
/// task of another board or of another worker than the chat's.
class ChatBoard {
 public:
  /// `key` names the message for whose sake it is called; empty for news. The executor and the chat outlive
  /// it.
  ChatBoard(api::Executor& executor, Chat const& chat, std::string key = {},
            class Watches* watches = nullptr);

  /// Runs the operation of a service function. `step` tells several writes of one message apart. It must not
  /// depend on the state of the board, or a repeated message would have a second effect.
  template <auto F, class Response = typename api::detail::Signature<decltype(F)>::Response>
  core::Result<Response> call(typename api::detail::Signature<decltype(F)>::Request request, int step = 1) {
    auto call = api::call_of<F>(std::move(request), caller_);
    if (!key_.empty()) call.idempotency_key = key_ + "/" + std::to_string(step);
    ANDON_TRY(auto answer, executor_.run(std::move(call)));
    return std::move(answer).template as<Response>();
  }

  Chat const& chat() const { return chat_; }
  /// Null where no output can be followed.
  class Watches* watches() const { return watches_; }
  core::Actor const& actor() const { return caller_.actor; }
  OutMessage message() const { return {chat_.place, {}}; }

  /// The name of the chat's board; the first board where the chat names none.
  core::Result<std::string> board_name();
  core::Result<core::Board> board();
  /// A task by number or key. One that the chat does not show counts as missing.
  core::Result<core::Task> task(std::string_view reference);
  core::Result<core::Task> task(core::TaskId id);
  /// True for a task of the chat's board and worker.
  core::Result<bool> shows(core::Task const& task);
  /// The name that people read for a worker.
  std::string worker_title(std::string const& name);
  /// The name that people read for an actor; empty for the engine and its runners.
  std::string actor_title(core::Actor const& actor);

 private:
  api::Executor& executor_;
  Chat const& chat_;
  service::Caller caller_;
  std::string key_;
  class Watches* watches_;
  std::string board_;                          ///< once it is known
  std::map<std::string, std::string> titles_;  ///< of workers that were asked for
};

}  // namespace andon::bridge
