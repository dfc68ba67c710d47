#include "cli/command_line/connection.hpp"

#include "core/text/names.hpp"
#include "os/data/data_directory.hpp"
#include "os/files/exposure.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
using core::Code;
using core::Result;

constexpr std::size_t kLongestToken = 4096;

Result<core::Actor> actor_named(std::string const& name) {
  if (core::is_unsafe_line(name))
    return core::refuse(Code::kInvalidInput, "\"--as\" must be a name of one line", "as");
  return core::parse_actor(name).value_or(core::Actor{core::ActorKind::user, name});
}

/// The person at the keyboard.
core::Actor own_actor(Environment const& env) {
  for (auto const* name : {"USER", "LOGNAME"})
    if (auto user = env.variable(name); !user.empty() && !core::is_unsafe_line(user))
      return {core::ActorKind::user, std::move(user)};
  return {core::ActorKind::user, "admin"};
}

bool answers(api::Transport& transport) {
  auto const answer = transport.call({.method = "GET", .target = "/healthz", .headers = {}, .body = {}});
  return answer && answer->status == 200;
}

Connection remote(std::unique_ptr<api::Transport> transport, std::string token) {
  Connection out;
  out.transport = std::move(transport);
  auto server = std::make_unique<api::RemoteExecutor>(*out.transport, std::move(token));
  out.server = server.get();
  out.executor = std::move(server);
  out.caller.source = core::Source::cli;
  return out;
}

Result<Connection> open(Server const& server, Environment const& env) {
  if (server.url.empty()) {
    ANDON_TRY(auto transport, env.open.transport(server.socket));
    return remote(std::move(transport), server.token);
  }
  // The socket stays where it is when the server starts again; its address may be another one then.
  std::error_code unreadable;
  if (!server.socket.empty() && fs::exists(server.socket, unreadable)) {
    ANDON_TRY(auto nearer, env.open.transport(server.socket));
    if (answers(*nearer)) return remote(std::move(nearer), server.token);
  }
  ANDON_TRY(auto transport, env.open.transport(server.url));
  return remote(std::move(transport), server.token);
}

Result<std::string> local_token(os::DataDirectory const& data) {
  if (auto const exposure = os::exposure_of(data.token))
    return core::refuse(Code::kInvalidInput, exposure->text, "token");
  if (auto const disclosure = os::disclosure_of(data.token))
    return core::refuse(Code::kInvalidInput, disclosure->text, "token");
  try {
    auto token = os::read_file(data.token, kLongestToken);
    token.erase(token.find_last_not_of("\r\n ") + 1);
    return token;
  } catch (os::SystemError const& error) {
    return core::refuse(Code::kUnauthenticated,
                        std::string{"a server is live here, but its token cannot be read: "} + error.what());
  }
}

/// The server that is live on the data, or nothing.
Result<std::optional<Connection>> through_socket(os::DataDirectory const& data, Environment const& env) {
  std::error_code unreadable;
  if (!env.open.transport || !fs::exists(data.socket, unreadable)) return std::nullopt;
  ANDON_TRY(auto transport, env.open.transport(data.socket));
  if (!answers(*transport)) return std::nullopt;
  ANDON_TRY(auto token, local_token(data));
  return remote(std::move(transport), std::move(token));
}

Connection local(std::unique_ptr<api::Executor> executor) {
  Connection out;
  out.executor = std::move(executor);
  out.caller.source = core::Source::cli;
  return out;
}

Result<Connection> open_store(DataDirectory const& place, Environment const& env) {
  auto executor = env.open.store(place.root, place.store);
  bool const is_held =
      !executor && executor.error().code == Code::kBusy && !os::uses_postgres(place.root, place.store);
  if (is_held)
    return core::refuse(Code::kBusy, "another process uses " + place.root.native() +
                                         " and does not answer on its socket; try again, or stop it (" +
                                         executor.error().message + ")");
  if (!executor) return std::unexpected(std::move(executor).error());
  return local(*std::move(executor));
}

Result<Connection> open(DataDirectory const& place, Environment const& env, IfMissing missing) {
  auto const data = os::data_directory(place.root);
  bool const is_there = !place.store.empty() || holds_data(place.root);
  if (missing == IfMissing::use_empty_board && !is_there) return local(env.open.nothing());
  if (missing == IfMissing::refuse && !is_there)
    return core::refuse(Code::kBoardNotFound,
                        "no kanban board found: there is none here or above, and none in " +
                            place.root.native() + "; make one with: andon init");
  if (place.store.empty()) {
    ANDON_TRY(auto live, through_socket(data, env));
    if (live) return *std::move(live);
  }
  return open_store(place, env);
}

Result<Connection> open(BoardDirectory const& place, Environment const& env) {
  ANDON_TRY(auto executor, env.open.board(place.root));
  return local(std::move(executor));
}

Result<Connection> open(Location const& location, Environment const& env, IfMissing missing) {
  if (auto const* data = std::get_if<DataDirectory>(&location)) return open(*data, env, missing);
  if (auto const* board = std::get_if<BoardDirectory>(&location)) return open(*board, env);
  return open(std::get<Server>(location), env);
}

/// The connection with the caller that the location and the given name mean.
Result<Connection> named(Result<Connection> opened, Location const& location, std::string const& as,
                         Environment const& env) {
  if (!opened) return opened;
  if (!std::holds_alternative<Server>(location)) {
    opened->caller.role = service::Role::machine;
    opened->caller.actor = own_actor(env);
  }
  if (!as.empty()) ANDON_SET(opened->caller.actor, actor_named(as));
  return opened;
}

}  // namespace

Result<Connection> connect(Location const& location, std::string const& as, Environment const& env,
                           IfMissing missing) {
  return named(open(location, env, missing), location, as, env);
}

Result<Connection> connect_to_server(Location const& location, std::string const& as,
                                     Environment const& env) {
  auto const* data = std::get_if<DataDirectory>(&location);
  if (!data) return connect(location, as, env);
  ANDON_TRY(auto live, through_socket(os::data_directory(data->root), env));
  if (!live) return core::refuse(Code::kBusy, "no server is live on " + data->root.native());
  return named(*std::move(live), location, as, env);
}

}  // namespace andon::cli
