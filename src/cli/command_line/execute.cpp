#include "cli/command_line/execute.hpp"

#include <algorithm>

#include "api/operation.hpp"
#include "cli/command_line/request.hpp"
#include "core/text/ascii.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Code;
using core::Result;

/// The part of an answer that scripts get: the bare items of a list.
json::value bare(json::value answer) {
  auto* const object = answer.if_object();
  if (!object || !object->contains("items")) return answer;
  return std::move((*object)["items"]);
}

/// The notice in the answer of a change, about what follows.
std::string notice_in(json::value const& answer) {
  auto const* const object = answer.if_object();
  auto const text = object ? text_of(*object, "notice") : std::string{};
  return text.empty() ? text : text + "\n";
}

int show(Invocation& in, CommandResult done) {
  if (in.screen().is_json() && !done.answer.is_null())
    in.screen().print(bare(std::move(done.answer)));
  else
    in.screen().print(done.text + notice_in(done.answer));
  return 0;
}

json::object entry(std::string const& id, Result<CommandResult> const& done) {
  json::object out;
  auto const is_number = std::ranges::all_of(id, [](char c) { return core::is_ascii_digit(c); });
  out["id"] = is_number && id.size() < 19 ? json::value(std::stoll(id)) : json::value(id);
  out["ok"] = done.has_value();
  if (done) return out;
  out["error"] = done.error().message;
  if (done.error().code != Code::kInternalError) out["code"] = core::row(done.error().code).name;
  return out;
}

/// Each task on its own; nothing is taken back when a later one is refused.
int run_batch(Invocation& in, json::object const& request, std::vector<std::string> const& ids) {
  json::array entries;
  std::size_t completed = 0;
  for (auto const& id : ids) {
    auto one = request;
    one["id"] = id;
    auto const done = in.command().handler(in, std::move(one));
    if (done)
      ++completed;
    else if (!in.screen().is_json())
      in.screen().refuse({done.error().code, "task #" + id + ": " + done.error().message, {}, {}, {}});
    entries.push_back(entry(id, done));
  }
  if (in.screen().is_json())
    in.screen().print(entries);
  else
    in.screen().print("Completed " + std::to_string(completed) + "/" + std::to_string(ids.size()) +
                      " operations\n");
  return completed == ids.size() ? 0 : 1;
}

/// People are asked on a terminal. Elsewhere only the deletion of tasks insists, as kanban-md's contract has
/// it.
Result<bool> confirm(Invocation& in, std::string const& what, bool several) {
  auto const& operation = *in.command().operation;
  bool const insists = operation.confirms == api::Confirms::always;
  if (operation.confirms == api::Confirms::never || in.given().has("yes")) return true;
  if (insists && several) return core::refuse(Code::kConfirmationRequired, "batch delete requires --yes");
  if (insists && !in.env().in_is_terminal)
    return core::refuse(Code::kConfirmationRequired,
                        "the standard input is not a terminal; use --yes to delete without being asked");
  if (!in.env().in_is_terminal) return true;
  in.screen().tell(std::string{in.command().words} + " " + what + "? [y/N]");
  std::string answer;
  std::getline(in.env().in, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

Result<int> run_operation(Invocation& in) {
  ANDON_TRY(auto request, request_of(in));
  std::vector<std::string> ids;
  auto const positional = positionals(in.command());
  if (takes_many(in.command())) ANDON_SET(ids, split_ids(text_of(request, "id")));
  auto const what = !ids.empty()         ? "task " + ids.front()
                    : positional.empty() ? ""
                                         : text_of(request, positional.front().name);
  ANDON_TRY(auto const sure, confirm(in, what, ids.size() > 1));
  if (!sure) {
    in.screen().tell("Cancelled.");
    return 0;
  }
  if (ids.size() > 1) return run_batch(in, request, ids);
  if (!ids.empty()) request["id"] = ids.front();
  ANDON_TRY(auto done, in.command().handler(in, std::move(request)));
  return show(in, std::move(done));
}

Result<int> run_named(Invocation& in) {
  auto const& named = *in.command().named;
  auto const given = in.given().words.size();
  if (given > 0 && named.arguments.empty())
    return misuse("accepts 0 arg(s), received " + std::to_string(given));
  return named.function(in);
}

}  // namespace

int execute(Invocation& in) {
  auto const code = in.command().named ? run_named(in) : run_operation(in);
  return code ? *code : in.screen().refuse(code.error());
}

}  // namespace andon::cli
