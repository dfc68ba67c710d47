#include "cli/command_line/command_handlers.hpp"
#include "cli/command_line/invocation.hpp"
#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/timestamp.hpp"

// `andon confirm CODE`: the proof, given on the machine of the server, for commands that came over the
// network.
namespace andon::cli {
namespace {

using core::Code;
using core::Result;

enum class Verdict { no, yes, for_a_while };

void show(Screen& screen, api::ProposalView const& proposal) {
  screen.tell(one_line(proposal.asked_by) + " asks from " + one_line(proposal.asked_from) + " that board \"" +
              one_line(proposal.board) + "\" may run or set on this machine:");
  for (auto const& command : proposal.commands) screen.tell("  " + one_line(command));
}

Result<Verdict> verdict(Invocation& in) {
  if (in.given().has("yes")) return in.given().has("browser") ? Verdict::for_a_while : Verdict::yes;
  if (!in.env().in_is_terminal)
    return core::refuse(Code::kConfirmationRequired,
                        "the standard input is not a terminal; read the commands above, then use --yes");
  in.screen().tell(
      "Confirm? y: yes; b: yes, and let this browser bring more commands for 15 minutes; "
      "anything else: no");
  std::string answer;
  std::getline(in.env().in, answer);
  if (answer == "b" || answer == "B") return Verdict::for_a_while;
  if (answer != "y" && answer != "Y" && answer != "yes") return Verdict::no;
  return in.given().has("browser") ? Verdict::for_a_while : Verdict::yes;
}

}  // namespace

Result<int> run_confirm(Invocation& in) {
  if (in.given().words.size() != 1)
    return core::refuse(Code::kInvalidInput,
                        "give the code that the page shows, as in: andon confirm K7M2-9QXD", "code");
  auto const& code = in.given().words.front();
  ANDON_TRY(auto* const open, in.connection());
  if (!open->server)
    return core::refuse(Code::kBusy,
                        "no server is live here; a change waits in a server, start it with: andon serve");
  ANDON_TRY(auto const proposal, open->server->proposal(code));
  show(in.screen(), proposal);
  if (proposal.state == api::ProposalState::confirmed) {
    in.screen().tell("It was confirmed already.");
    return 0;
  }
  ANDON_TRY(auto const given, verdict(in));
  if (given == Verdict::no) {
    in.screen().tell("Nothing was changed.");
    return 0;
  }
  ANDON_TRY(auto const confirmed,
            open->server->confirm(proposal.code, {.browser = given == Verdict::for_a_while}));
  if (in.screen().is_json())
    in.screen().print(boost::json::parse(reflect::to_json(confirmed)));
  else
    in.screen().print("Confirmed " + confirmed.code + ": board " + one_line(confirmed.board) +
                      " is changed\n");
  return 0;
}

}  // namespace andon::cli
