#include "cli/safe_text.hpp"
#include "cli/views.hpp"
#include "cli/works.hpp"

namespace andon::cli {

namespace json = boost::json;
using core::Result;

Result<Done> search_tasks(Invocation& in, json::object request) {
  ANDON_TRY(auto answer, in.call("search_tasks", request));
  std::string text;
  if (!in.screen().is_json()) ANDON_SET(text, view_of(in, *in.command().operation, answer));
  auto const next = text_of(answer.as_object(), "next");
  if (!next.empty()) in.screen().tell("There is more: add --cursor " + next);
  return Done{std::move(answer), std::move(text)};
}

Result<Done> draw_dependencies(Invocation& in, json::object request) {
  if (!in.screen().is_json() && !request.contains("format")) request["format"] = "tree";
  ANDON_TRY(auto answer, in.call("dependency_graph", request));
  auto text = many_lines(text_of(answer.as_object(), "text"));
  if (text.empty() && !in.screen().is_json()) in.screen().tell("No unfinished task waits for another.");
  if (answer.as_object().contains("truncated")) in.screen().tell("There is more than is drawn here.");
  return Done{std::move(answer), std::move(text)};
}

}  // namespace andon::cli
