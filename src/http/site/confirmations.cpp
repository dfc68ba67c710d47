#include "api/operation.hpp"
#include "http/access/machine_user.hpp"
#include "http/access/proposals.hpp"
#include "http/site/admission.hpp"
#include "http/site/operation_answer.hpp"
#include "http/site/request_handler.hpp"
#include "http/wire/address.hpp"
#include "os/processes/clock.hpp"
#include "reflect/json.hpp"
#include "service/boards/boards.hpp"

// Commands run with the rights of the machine's user, so that no credential alone may bring them over the
// network: a stolen one could run anything. The server refuses such a request, keeps it under a code, and
// makes it when somebody on the machine confirms the code through the socket file.
namespace andon::http {
namespace {

using core::Code;
using core::Error;

std::string text_of(Error const& error, std::string_view name) {
  for (auto const& [other, detail] : error.details)
    if (auto const* text = std::get_if<std::string>(&detail); text && other == name) return *text;
  return {};
}

/// The lines that the refusal has for people.
std::vector<std::string> commands_of(Error const& error) {
  for (auto const& [name, detail] : error.details)
    if (auto const* lines = std::get_if<std::vector<std::string>>(&detail); lines && name == "commands")
      return *lines;
  return {};
}

/// True for requests whose refusal has a line for everything that they bring. Others must not be confirmed,
/// because they would bring more than a person has read.
bool is_confirmed_whole(api::Operation const& operation) {
  return operation.function == api::of<&service::create_board> ||
         operation.function == api::of<&service::edit_board>;
}

Error no_proposal() {
  return {Code::kNotFound, "no change waits under this code; codes live for 15 minutes", "code", {}, {}};
}

/// The call that the request would have been, in the name of who asked and with the rights of the machine.
core::Result<api::Call> confirmed_call(Proposal const& proposal) {
  auto query = parse_query(proposal.query);
  if (!query) return core::refuse(Code::kMalformed, "the query is not encoded properly");
  ANDON_TRY(auto call,
            api::build_call(*proposal.route->operation, {proposal.path, *std::move(query), proposal.body}));
  call.caller = proposal.caller;
  call.caller.role = service::Role::machine;
  call.expected_rev = proposal.expected_rev;
  return call;
}

}  // namespace

void RequestHandler::propose(AuthenticatedRequest const& authenticated, Error error) {
  auto& request = authenticated.request();
  if (!is_confirmed_whole(*authenticated.route->operation)) {
    error.message += "; do this on the machine of the server, where the command line uses its socket file";
    return refuse(*authenticated.session, error);
  }
  auto const now = os::SteadyClock::now();
  Proposal proposal;
  proposal.view.request = request.method + " " + request.path;
  proposal.view.asked_by = core::to_text(authenticated.principal.caller.actor);
  proposal.view.asked_from = request.peer.address;
  proposal.view.commands = commands_of(error);
  proposal.view.board = text_of(error, "board");
  proposal.view.expires_at = backends_.executor.now() + Proposals::kLife;
  proposal.credential = authenticated.credential;
  proposal.route = authenticated.route;
  proposal.path = authenticated.path;
  proposal.query = request.query;
  proposal.body = request.body;
  proposal.caller = authenticated.principal.caller;
  api::Call conditions;
  if (!take_conditions(request, conditions)) proposal.expected_rev = conditions.expected_rev;
  auto const* kept = proposals_.add(std::move(proposal), now);
  if (!kept)
    return refuse(*authenticated.session,
                  Error{Code::kRateLimited,
                        "too many changes wait for a confirmation on the machine; confirm them or wait",
                        {},
                        {},
                        {}}
                      .with("retry_after", std::int64_t{60}));
  error.message += "; on the machine of the server, run: andon confirm " + kept->view.code;
  refuse(*authenticated.session, std::move(error)
                                     .with("confirm", kept->view.code)
                                     .with("expires_at", core::to_text(kept->view.expires_at)));
}

void RequestHandler::show_proposal(AuthenticatedRequest const& authenticated) {
  auto const* proposal = proposals_.find(authenticated.path.front().second, os::SteadyClock::now());
  if (!proposal) return refuse(*authenticated.session, no_proposal());
  answer(*authenticated.session, {.body = reflect::to_json(proposal->view)});
}

void RequestHandler::confirm_proposal(AuthenticatedRequest const& authenticated) {
  auto& session = *authenticated.session;
  auto const now = os::SteadyClock::now();
  auto const asked = reflect::read_json<api::ConfirmRequest>(authenticated.request().body);
  if (!asked) return refuse(session, asked.error());
  if (!is_machines_user(authenticated.request().peer))
    return refuse(session, {Code::kForbidden,
                            "only the machine's own user confirms commands: run `andon confirm` on the "
                            "machine of the server, outside of runs",
                            {},
                            {},
                            {}});
  auto const* proposal = proposals_.find(authenticated.path.front().second, now);
  if (!proposal) return refuse(session, no_proposal());
  if (proposal->view.state == api::ProposalState::confirmed)
    return answer(session, {.body = reflect::to_json(proposal->view)});
  auto call = confirmed_call(*proposal);
  if (!call) return refuse(session, call.error());
  backends_.executor.start(
      *std::move(call),
      [this, mailbox = mailbox_, weak = std::weak_ptr(authenticated.session), code = proposal->view.code,
       trusts = asked->browser](core::Result<api::Answer> made) mutable {
        mailbox->post([this, weak = std::move(weak), code = std::move(code), trusts,
                       error = made ? std::optional<Error>{} : std::optional{std::move(made).error()}] {
          auto const later = os::SteadyClock::now();
          auto* const known = proposals_.find(code, later);
          if (known && !error) {
            known->view.state = api::ProposalState::confirmed;
            if (trusts) proposals_.trust(known->credential, later);
          }
          auto const session = weak.lock();
          if (!session) return;
          if (error) return refuse(*session, *error);
          if (!known) return refuse(*session, no_proposal());
          answer(*session, {.body = reflect::to_json(known->view)});
        });
      });
}

}  // namespace andon::http
