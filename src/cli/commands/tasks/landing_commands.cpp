#include "cli/command_line/command_handlers.hpp"
#include "cli/command_line/invocation.hpp"
#include "cli/command_line/safe_text.hpp"
#include "service/runs/landing_verdict.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Result;

Result<CommandResult> judge(Invocation& in, json::object request, std::string_view verdict,
                            std::string_view says) {
  request["verdict"] = verdict;
  ANDON_TRY(auto answer, in.call<&service::judge_landing>(request));
  ANDON_TRY(auto const run, answer_as<core::Run>(answer));
  bool const is_one_commit = run.landing && run.landing->squash;
  auto text = one_line("The work of task #" + std::to_string(run.task) + std::string{says} +
                       (is_one_commit ? ", as one commit" : "")) +
              "\n";
  return CommandResult{std::move(answer), std::move(text)};
}

}  // namespace

Result<CommandResult> let_land(Invocation& in, json::object request) {
  return judge(in, std::move(request), "land", " is in the landing queue again; it lands in its turn");
}

Result<CommandResult> reject_landing(Invocation& in, json::object request) {
  return judge(in, std::move(request), "reject", " went back; its next attempt is told the reason");
}

}  // namespace andon::cli
