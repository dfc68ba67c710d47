#pragma once

#include <map>
#include <string>

#include "api/call.hpp"
#include "api/proposal.hpp"
#include "api/run_output.hpp"
#include "api/transport.hpp"

namespace andon::api {

/// Runs operations on a server. The request travels as its row says: path fields in the path, the rest as
/// query of a read or as JSON body of a write. Answers and refusals are the ones the server's own executor
/// gave.
class RemoteExecutor : public Executor {
 public:
  /// The transport is not owned and outlives this. An empty token sends none.
  RemoteExecutor(Transport& transport, std::string token);

  /// A caller whose actor is not `system` asks to act under that name; the server decides whether it may.
  core::Result<Answer> run(Call call) override;

  /// A page of what the agent of a run printed, see `RunOutput`.
  core::Result<OutputPage> run_output(core::RunId run, std::string const& since);
  /// The change that waits under a code for its confirmation on the machine of the server.
  core::Result<ProposalView> proposal(std::string const& code);
  /// Confirms it, which makes the change.
  core::Result<ProposalView> confirm(std::string const& code, ConfirmRequest const& request);
  /// Hands over each line of the server's stream of a board's changes after that place, until `line` returns
  /// false, the server ends it, or `interrupt` is called.
  core::Result<void> follow(std::string const& board, std::string const& since,
                            std::move_only_function<bool(std::string_view)> line);
  /// Ends a call that is under way, from another thread. This executor is of no use afterwards.
  void interrupt() { transport_.interrupt(); }
  /// Adds a header to every later call.
  void send_always(std::string name, std::string value) { always_[std::move(name)] = std::move(value); }

 private:
  core::Result<std::string> ask(HttpCall request);

  Transport& transport_;
  std::string token_;
  std::map<std::string, std::string> always_;
};

/// The HTTP request of a call, without credentials.
HttpCall http_call_of(Call const& call);

/// The refusal a server's answer tells of: the error object of its body, else what its status stands for.
core::Error error_of(HttpAnswer const& answer);

}  // namespace andon::api
