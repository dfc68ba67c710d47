#include <array>

#include "cli/command_line/command_handlers.hpp"
#include "cli/command_line/invocation.hpp"
#include "cli/command_line/request.hpp"
#include "service/automations/automations.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Result;

struct TemplateFlag {
  std::string_view flag;
  std::string_view field;  ///< of the template
};
constexpr std::array kTemplateFlags{TemplateFlag{"title", "title"},       TemplateFlag{"body", "body"},
                                    TemplateFlag{"role", "role"},         TemplateFlag{"worker", "assignee"},
                                    TemplateFlag{"status", "status"},     TemplateFlag{"class", "class"},
                                    TemplateFlag{"priority", "priority"}, TemplateFlag{"review", "review"}};

/// A single task that follows may be written without the brackets of a list.
Result<json::value> chain_of(Environment const& env, std::string const& given) {
  bool const is_json = given.starts_with('[') || given.starts_with('{');
  ANDON_TRY(auto const text, is_json ? Result<std::string>{given} : read_text(env, given));
  auto chain = reflect::parse_json(text);
  if (!chain)
    return core::refuse(core::Code::kInvalidInput, "\"--next\" must be JSON: " + chain.error().message,
                        "next");
  if (chain->is_object()) return json::value(json::array{*std::move(chain)});
  return chain;
}

/// Writes the flags that are about the task into the template; tells whether there were any.
Result<bool> fill_template(Invocation& in, json::object& task) {
  auto const& given = in.given();
  bool filled = false;
  for (auto const& [flag, field] : kTemplateFlags) {
    auto const value = given.value(flag);
    if (value) task[field] = *value;
    filled |= value.has_value();
  }
  if (auto const file = given.value("brief")) ANDON_SET(task["body"], read_text(in.env(), *file));
  if (auto const next = given.value("next")) ANDON_SET(task["next_tasks"], chain_of(in.env(), *next));
  auto const tags = given.values("tag");
  if (!tags.empty()) task["tags"] = json::array(tags.begin(), tags.end());
  return filled || given.has("brief") || given.has("next") || !tags.empty();
}

json::object& template_in(json::object& request) {
  auto& task = request["template"];
  if (!task.is_object()) task.emplace_object();
  return task.get_object();
}

}  // namespace

Result<CommandResult> add_automation(Invocation& in, json::object request) {
  auto& task = template_in(request);
  ANDON_CHECK(fill_template(in, task));
  if (!task.contains("title"))
    return core::refuse(core::Code::kInvalidInput, "give the task that it makes a --title", "title");
  return call_operation(in, std::move(request));
}

Result<CommandResult> edit_automation(Invocation& in, json::object request) {
  json::object task;
  ANDON_TRY(auto const filled, fill_template(in, task));
  if (filled && !request.contains("template")) {
    ANDON_TRY(auto const now, in.call<&service::get_automation>({{"id", request.at("id")}}));
    request["template"] = now.at("template");
  }
  if (filled)
    for (auto const& [name, value] : task) template_in(request)[name] = value;
  return call_operation(in, std::move(request));
}

}  // namespace andon::cli
