#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/local_executor.hpp"
#include "http/server/server.hpp"
#include "http/server/wire.hpp"
#include "store/contract/store.hpp"
#include "store/engine/unit/unit.hpp"
#include "support/fake_clock.hpp"
#include "support/scratch.hpp"

namespace andon::test {

using HeaderList = std::vector<std::string>;

/// A server on a store in memory, with an administrator, a person and a board `demo`.
class RunningServer {
 public:
  explicit RunningServer(std::function<void(http::ServerOptions&)> const& change = {},
                         std::function<void(http::Backends&)> const& with = {});
  ~RunningServer();

  int port() const;
  std::string host() const { return "127.0.0.1:" + std::to_string(port()); }
  std::string socket_path() const { return (scratch_ / "s.sock").native(); }

  /// The bytes of a request by the administrator, unless the headers say who else.
  std::string text(std::string_view method, std::string_view target, std::string_view body = {},
                   HeaderList const& headers = {}) const;
  /// The same sent on a connection of its own.
  WireAnswer call(std::string_view method, std::string_view target, std::string_view body = {},
                  HeaderList const& headers = {}) const;
  /// Opens a stream and reads its `hello`.
  Wire stream(std::string_view target, HeaderList const& headers = {}) const;

  static std::string bearer(std::string_view secret) {
    return "Authorization: Bearer " + std::string{secret};
  }
  /// Stores a token of a kind (`admin`, `person`, `run`) for a secret.
  void add_token(core::TokenKind kind, std::string_view secret, core::RunId run = 0, core::TaskId task = 0,
                 core::Epoch epoch = 0);
  void revoke(std::string_view secret);
  void end_run(std::string_view secret);
  void offer_code(std::string_view code);

  /// Every task, and the last event: equal when nothing was changed.
  std::string digest();
  /// A run at work on a task of its own.
  core::RunId add_run();
  core::TaskId add_task(std::string_view title, std::string_view board = "demo") const;

  api::LocalExecutor& executor() { return *executor_; }
  http::Server& server() { return *server_; }
  FakeClock& clock() { return clock_; }

 private:
  Scratch scratch_;
  FakeClock clock_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<api::LocalExecutor> executor_;
  std::unique_ptr<http::Server> server_;
};

/// Asks until the answer is yes, for half a minute at most.
bool eventually(std::function<bool()> const& asked);

/// The text of a member in a JSON body.
std::string member(std::string_view body, std::string_view name);

}  // namespace andon::test
