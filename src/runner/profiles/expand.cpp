#include "runner/profiles/expand.hpp"

#include <algorithm>
#include <array>

#include <boost/json/serialize.hpp>

#include "core/model/worker.hpp"

namespace andon::runner {
namespace {

namespace json = boost::json;
constexpr std::size_t kShownBytes = 40;
using core::Code;
using core::Result;

std::unexpected<core::Error> refuse_for(Profile const& profile, std::string reason) {
  return core::refuse(Code::kInvalidInput, "agent profile \"" + profile.id + "\" " + std::move(reason));
}

Result<std::vector<std::string>> permission_arguments(Profile const& profile, Variables const& variables,
                                                      std::string_view permissions) {
  if (auto const level = profile.permissions.find(std::string{permissions});
      level != profile.permissions.end())
    return fill_arguments(level->second, variables);
  bool const may_work =
      permissions == to_text(core::Permissions::edit) || permissions == to_text(core::Permissions::full);
  if (may_work || profile.permissions.empty()) return std::vector<std::string>{};
  std::string known;
  for (auto const& [name, more] : profile.permissions) known += (known.empty() ? "" : ", ") + name;
  return refuse_for(profile, "has no permissions \"" + std::string{permissions} + "\", only: " + known);
}

/// Variables that hold text; all others hold names.
constexpr std::array<std::string_view, 3> kLongTexts{"prompt", "role", "task.title"};

/// Prevents values from becoming options: a text that begins with a dash gets a blank before it, a name is
/// refused.
Result<Variables> without_options(Profile const& profile, Variables variables) {
  for (auto& [name, value] : variables.texts) {
    if (!value.starts_with('-')) continue;
    if (std::ranges::find(kLongTexts, name) == kLongTexts.end())
      return refuse_for(profile,
                        "would be given the option \"" + value.substr(0, kShownBytes) + "\" as its " + name);
    value.insert(0, 1, ' ');
  }
  return variables;
}

Result<std::vector<std::string>> arguments(Profile const& profile, Variables const& given,
                                           std::string_view permissions) {
  ANDON_TRY(auto const variables, without_options(profile, given));
  auto const resumes = variables.is_set("session") && !profile.resume_argv.empty();
  ANDON_TRY(auto argv, fill_arguments(resumes ? profile.resume_argv : profile.argv, variables));
  ANDON_TRY(auto const more, permission_arguments(profile, variables, permissions));
  argv.insert(argv.end(), more.begin(), more.end());
  if (argv.empty() || argv.front().empty()) return refuse_for(profile, "has no command: give it an \"argv\"");
  auto const longest = static_cast<std::size_t>(profile.prompt.max_arg_bytes);
  for (auto const& argument : argv) {
    if (argument.find('\0') != std::string::npos)
      return refuse_for(profile, "makes an argument with a zero byte");
    if (argument.size() > longest)
      return refuse_for(profile, "makes an argument of " + std::to_string(argument.size()) + " bytes, and " +
                                     std::to_string(longest) +
                                     " are allowed: pass the prompt by stdin or file");
  }
  return argv;
}

/// The form of a variable's value that applies; null when the variable is not set.
json::value const* chosen_form(json::value const& form, Variables const& variables) {
  auto const* object = form.if_object();
  auto const* condition = object ? object->if_contains("if") : nullptr;
  if (!condition) return &form;
  bool const holds = variables.is_set({condition->as_string().data(), condition->as_string().size()});
  return object->if_contains(holds ? "then" : "else");
}

Result<std::string> environment_value(json::value const& form, Variables const& variables) {
  if (auto const* text = form.if_string()) return fill({text->data(), text->size()}, variables);
  ANDON_TRY(auto const filled, fill_json(form.at("json"), variables));
  return json::serialize(filled);
}

Result<RenderedFile> render(FileTemplate const& file, Variables const& variables) {
  ANDON_TRY(auto const filled, fill_json(file.template_, variables));
  if (file.format == FileFormat::json) return RenderedFile{file.path, json::serialize(filled) + "\n"};
  auto const& text = filled.as_string();
  return RenderedFile{file.path, {text.data(), text.size()}};
}

}  // namespace

Result<Invocation> expand(Profile const& profile, Variables const& variables, std::string_view permissions) {
  Invocation out;
  ANDON_TRY(out.argv, arguments(profile, variables, permissions));
  for (auto const& [name, forms] : profile.env) {
    auto const* form = chosen_form(forms, variables);
    if (!form) continue;
    ANDON_TRY(auto value, environment_value(*form, variables));
    if (value.find('\0') != std::string::npos) return refuse_for(profile, "puts a zero byte into " + name);
    out.env.emplace_back(name, std::move(value));
  }
  for (auto const& file : profile.files) {
    if (!file.if_.empty() && !variables.is_set(file.if_)) continue;
    ANDON_TRY(auto rendered, render(file, variables));
    out.files.push_back(std::move(rendered));
  }
  if (profile.prompt.via == PromptVia::stdin_) {
    auto const prompt = variables.texts.find("prompt");
    if (prompt != variables.texts.end()) out.stdin_text = prompt->second;
  }
  return out;
}

}  // namespace andon::runner
