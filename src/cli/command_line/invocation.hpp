#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line/command.hpp"
#include "cli/command_line/connection.hpp"
#include "cli/command_line/screen.hpp"

namespace andon::cli {

/// The flags and words of one command line.
struct Given {
  std::vector<GivenFlag> flags;
  std::vector<std::string> words;

  bool has(std::string_view flag) const;                          ///< given, and not as `=false`
  std::optional<std::string> value(std::string_view flag) const;  ///< the last one
  std::vector<std::string> values(std::string_view flag) const;
};

/// One command at work: what was given, where it runs, where its answer goes. The way to the board is opened
/// when it is first needed.
class Invocation {
 public:
  /// None is owned; all outlive it.
  Invocation(Environment const& env, std::span<Command const> commands, Command const& command, Given given,
             Screen& screen)
      : env_(env), commands_(commands), command_(command), given_(std::move(given)), screen_(screen) {}

  Environment const& env() const { return env_; }
  std::span<Command const> commands() const { return commands_; }
  Command const& command() const { return command_; }
  Given const& given() const { return given_; }
  Screen& screen() { return screen_; }

  core::Result<Location> location() const;
  core::Result<Connection*> connection(IfMissing missing = IfMissing::refuse);
  /// Runs an operation and reads its answer.
  core::Result<boost::json::value> call(api::Operation const& operation, boost::json::object const& request,
                                        std::optional<core::Revision> expected_rev = {},
                                        std::string idempotency_key = {});
  /// Likewise, the operation of a service function.
  template <auto F>
  core::Result<boost::json::value> call(boost::json::object const& request,
                                        std::optional<core::Revision> expected_rev = {},
                                        std::string idempotency_key = {}) {
    return call(api::row_of<F>(), request, expected_rev, std::move(idempotency_key));
  }
  /// The call of an operation, for a command that puts a file into it or takes one out of its answer.
  core::Result<api::Call> call_for(api::Operation const& operation, boost::json::object const& request);
  core::Result<api::Answer> run(api::Call call);
  /// Runs a call and reads its answer.
  core::Result<boost::json::value> answer_of(api::Call call);
  /// The bytes of all answers so far.
  std::size_t received() const { return received_; }
  /// Closes the way to the board until it is needed again, so that others get at it.
  void disconnect() { connection_.reset(); }
  /// Gives the way to the board to the caller; it is opened anew when it is needed again.
  core::Result<Connection> take_connection();
  /// Under which name the caller holds claims.
  core::Result<std::string> own_name();
  /// Warns of a password in `--store`, which the list of processes shows.
  void tell_of_password();
  /// `--board`, else the board of the run; empty for none.
  std::string board() const;
  /// The board's name, the first one's when none was given.
  core::Result<std::string> board_or_first();

 private:
  /// Says what the answer warns of, and takes it out of what scripts get.
  void tell_warnings(boost::json::value& answer);
  void tell_of_copy(Location const& place);
  void tell_of_token();
  void tell_of_settings(Location const& place);

  Environment const& env_;
  std::span<Command const> commands_;
  Command const& command_;
  Given given_;
  Screen& screen_;
  std::optional<Connection> connection_;
  std::size_t received_ = 0;
};

/// An answer as the type it has on the wire; fields this version does not know are passed over.
template <class T>
core::Result<T> answer_as(boost::json::value const& answer) {
  return reflect::from_json<T>(answer, reflect::Unknown::ignore);
}

/// A text member of an object, empty when it is not there.
std::string text_of(boost::json::object const& object, std::string_view name);

}  // namespace andon::cli
