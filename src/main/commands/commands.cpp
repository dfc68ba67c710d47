#include "main/commands/commands.hpp"

#include <algorithm>
#include <iterator>

#include "api/sign_in_link.hpp"
#include "cli/command_line/invocation.hpp"
#include "main/commands/agent_commands.hpp"
#include "main/commands/database_commands.hpp"
#include "main/commands/mcp_command.hpp"
#include "main/commands/output_command.hpp"
#include "main/commands/serve.hpp"
#include "main/commands/service_command.hpp"
#include "main/commands/store_commands.hpp"
#include "main/commands/telegram_command.hpp"
#include "main/commands/tui_command.hpp"
#include "main/data_root.hpp"
#include "main/log_level.hpp"
#include "main/phone_link_text.hpp"
#include "main/remote_runner/runner_command.hpp"
#include "os/data/data_directory.hpp"
#include "os/qr_code.hpp"
#include "service/access/access.hpp"
#include "service/runners/runners.hpp"

namespace andon::main {
namespace {

using cli::Invocation;
using cli::Takes;
using core::Code;
using core::Result;

Result<int> run_serve(Invocation& in) {
  auto const& given = in.given();
  ServeOptions options;
  in.tell_of_password();
  ANDON_TRY(auto const place, data_place(in));
  options.data = place.root;
  options.store = place.store;
  options.name = given.value("name").value_or("");
  if (given.has("listen")) options.listen = given.values("listen");
  options.version = in.env().version;
  options.hosts = given.values("host");
  options.origins = given.values("origin");
  options.behind_tls_proxy = given.has("behind-tls-proxy");
  options.lan = given.has("lan");
  options.colour = in.screen().colour();
  options.welcome = given.has("welcome");
  options.print_link = given.has("print-link");
  options.runner = !given.has("no-runner");
  ANDON_CHECK(set_log_level(in));
  return serve(options);
}

/// Shows the link for another device, and its QR code on a terminal with colours.
void show_phone_link(cli::Screen& screen, std::string const& link, std::string const& expires) {
  if (screen.is_json()) return screen.print(boost::json::object{{"url", link}, {"expires_at", expires}});
  if (screen.colour()) screen.print(qr_code_text(os::qr_code(link)));
  screen.print(link + "\n");
  screen.tell("It works once, until " + expires + ".");
  if (!link.starts_with("https:")) screen.tell(std::string{kLanRisk} + ".");
}

Result<int> run_open(Invocation& in) {
  ANDON_TRY(auto const root, data_root(in));
  auto const origin = served_at(root);
  if (origin.empty())
    return core::refuse(Code::kBusy,
                        "no server has run on " + root.native() + " yet; start one with: andon serve");
  bool const is_for_phone = in.given().has("phone");
  auto const reached_at = is_for_phone ? served_to_others_at(root) : origin;
  if (reached_at.empty()) return api::refuse_phone_link();
  auto const code = api::new_sign_in_code();
  ANDON_TRY(auto const offered, in.call<&service::offer_sign_in>({{"hash", code.hash}}));
  auto const link = api::sign_in_link(reached_at, code);
  if (is_for_phone)
    show_phone_link(in.screen(), link, cli::text_of(offered.as_object(), "expires"));
  else
    in.screen().print(link + "\n");
  return 0;
}

Result<int> run_token_create(Invocation& in) {
  if (in.given().words.size() != 1)
    return core::refuse(Code::kInvalidInput, "give the name of the person the token stands for", "name");
  auto const secret = api::new_secret("andon_t_");
  boost::json::object request{{"name", in.given().words.front()}, {"hash", secret.hash}};
  if (auto const label = in.given().value("label")) request["label"] = *label;
  if (auto const lasts = in.given().value("lasts")) request["lasts"] = *lasts;
  if (in.given().has("admin")) request["admin"] = true;
  ANDON_TRY(auto answer, in.call<&service::create_token>(request));
  if (!in.screen().is_json()) {
    in.screen().tell("The token is shown this once; keep it where nobody else reads.");
    in.screen().print(secret.text + "\n");
    return 0;
  }
  answer.as_object()["token"] = secret.text;
  in.screen().print(answer);
  return 0;
}

/// The address under which the other host may reach the server, where this host knows it.
std::string address_for_others(Invocation& in) {
  auto const root = data_root(in);
  if (!root) return in.given().value("server").value_or("URL");
  auto const address = served_to_others_at(*root);
  return address.empty() ? "URL" : address;
}

Result<int> run_runners_add(Invocation& in) {
  if (in.given().words.size() != 1)
    return core::refuse(Code::kInvalidInput, "give the name of the runner", "name");
  auto const secret = api::new_secret("andon_n_");
  boost::json::object const request{{"name", in.given().words.front()}, {"hash", secret.hash}};
  ANDON_TRY(auto answer, in.call<&service::add_runner>(request));
  if (!in.screen().is_json()) {
    in.screen().tell(
        "The token is shown this once. Put it into a file on the other host and start the runner:");
    in.screen().tell("andon runner --server " + address_for_others(in) + " --token-file FILE");
    in.screen().print(secret.text + "\n");
    return 0;
  }
  answer.as_object()["token"] = secret.text;
  in.screen().print(answer);
  return 0;
}

}  // namespace

std::vector<cli::NamedCommand> commands() {
  std::vector<cli::NamedCommand> all{
      {"serve",
       "",
       "Serve the board, its page and its agents.",
       {{"data", 0, Takes::value, "Data directory"},
        {"listen", 0, Takes::list, "ADDRESS:PORT to listen on; port 0 picks one"},
        {"host", 0, Takes::list, "Name the server may be called by, beside the loopback names"},
        {"origin", 0, Takes::list, "Origin of a page that may call it, beside its own"},
        {"behind-tls-proxy", 0, Takes::nothing, "A proxy in front ends TLS; needed beyond loopback"},
        {"lan", 0, Takes::nothing, "Listen on this machine's private addresses too, without encryption"},
        {"welcome", 0, Takes::nothing, "Fill an empty store with the welcome board"},
        {"print-link", 0, Takes::nothing, "Print a link that signs a browser in"},
        {"name", 0, Takes::value,
         "Name of this server among those of its store (default: its last one, at first HOST:PORT)"},
        {"no-runner", 0, Takes::nothing, "Start no agents here"},
        {"log-level", 0, Takes::value, "Least to log: debug, info (the default), warning or error"}},
       &run_serve},
      {"open",
       "",
       "Print a link that signs a browser in.",
       {{"phone", 0, Takes::nothing, "A link for another device, with its QR code"}},
       &run_open},
      {"logs",
       "[ID]",
       "Print what the agent of a task printed.",
       {{"follow", 'f', Takes::nothing, "Go on until the run has ended"},
        {"run", 0, Takes::value, "Number of the run; the last one when left out"}},
       &run_logs},
      {"token create",
       "NAME",
       "Make a credential for a person.",
       {{"label", 0, Takes::value, "What it is for"},
        {"lasts", 0, Takes::value, "How long it lives, such as 720h"},
        {"admin", 0, Takes::nothing, "All rights"}},
       &run_token_create},
      {"runners add", "NAME", "Make a runner for another host, and print its token.", {}, &run_runners_add},
  };
  all.push_back(runner_command());
  all.push_back(tui_command());
  all.push_back(mcp_command());
  std::ranges::move(service_commands(), std::back_inserter(all));
  std::ranges::move(agent_commands(), std::back_inserter(all));
  std::ranges::move(telegram_commands(), std::back_inserter(all));
  std::ranges::move(store_commands(), std::back_inserter(all));
  std::ranges::move(database_commands(), std::back_inserter(all));
  return all;
}

}  // namespace andon::main
