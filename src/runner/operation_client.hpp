#pragma once

#include <string_view>
#include <utility>

#include "api/call.hpp"
#include "core/error.hpp"

namespace andon::runner {

/// True when the error says nothing about what was asked: the board is away or has too much to do. The same
/// call may be repeated.
inline bool is_unanswered(core::Error const& error) {
  return error.code == core::Code::kBusy || error.code == core::Code::kRateLimited;
}

/// The runner's access to the board: typed calls of operations, with the runner as actor.
class OperationClient {
 public:
  explicit OperationClient(api::Executor& executor, std::string_view runner = "local")
      : executor_(executor),
        caller_{{core::ActorKind::runner, std::string{runner}},
                service::Role::machine,
                core::Source::runner,
                {}} {}

  /// Runs the operation of a service function. `Response` differs from what the function returns where that
  /// is a question which the runner answers.
  template <auto F, class Response = typename api::detail::Signature<decltype(F)>::Response>
  core::Result<Response> call(typename api::detail::Signature<decltype(F)>::Request request = {}) {
    ANDON_TRY(auto answer, executor_.run(api::call_of<F>(std::move(request), caller_)));
    return std::move(answer).template as<Response>();
  }

  service::Caller const& caller() const { return caller_; }

 private:
  api::Executor& executor_;
  service::Caller caller_;
};

}  // namespace andon::runner
