#include "api/operation.hpp"
#include "cli/command_line/command_handlers.hpp"
#include "cli/command_line/safe_text.hpp"
#include "cli/views/views.hpp"
#include "service/access/access.hpp"
#include "service/insight/dependency_graph.hpp"
#include "service/insight/search.hpp"

namespace andon::cli {

namespace json = boost::json;
using core::Result;

namespace {

/// Calls an operation that answers in pages and says how to go on.
Result<CommandResult> show_page(Invocation& in, api::Operation const& operation, json::object request) {
  ANDON_TRY(auto answer, in.call(operation, request));
  std::string text;
  if (!in.screen().is_json()) ANDON_SET(text, view_of(in, *in.command().operation, answer));
  auto const next = text_of(answer.as_object(), "next");
  if (!next.empty()) in.screen().tell("There is more: add --cursor " + next);
  return CommandResult{std::move(answer), std::move(text)};
}

}  // namespace

Result<CommandResult> search_tasks(Invocation& in, json::object request) {
  ANDON_TRY(auto done, show_page(in, api::row_of<&service::search_tasks>(), std::move(request)));
  if (done.answer.as_object().contains("truncated"))
    in.screen().tell("Too many tasks have these words to show all of them: add a rarer word.");
  return done;
}

Result<CommandResult> list_tokens(Invocation& in, json::object request) {
  return show_page(in, api::row_of<&service::list_tokens>(), std::move(request));
}

Result<CommandResult> draw_dependencies(Invocation& in, json::object request) {
  if (!in.screen().is_json() && !request.contains("format")) request["format"] = "tree";
  ANDON_TRY(auto answer, in.call<&service::dependency_graph>(request));
  auto text = many_lines(text_of(answer.as_object(), "text"));
  if (text.empty() && !in.screen().is_json()) in.screen().tell("No unfinished task waits for another.");
  if (answer.as_object().contains("truncated")) in.screen().tell("There is more than is drawn here.");
  return CommandResult{std::move(answer), std::move(text)};
}

}  // namespace andon::cli
