#include "main/agent_text.hpp"

#include <algorithm>

#include <boost/json/serialize.hpp>

#include "cli/command_line/safe_text.hpp"

namespace andon::main {
namespace {

namespace json = boost::json;

constexpr std::size_t kLabel = 14;

std::string padded(std::string text) {
  text.resize(std::max(text.size() + 1, kLabel), ' ');
  return text;
}

std::string row(std::string label, std::string const& value) {
  return value.empty() ? std::string{} : "  " + padded(std::move(label)) + cli::one_line(value) + "\n";
}

template <class Items>
std::string in_words(Items const& items);

/// One argument of a profile as text: `[--model {model}]` for an optional part, `[--add-dir {item}]…` for a
/// repeated one.
std::string in_words(json::value const& item) {
  if (auto const* text = item.if_string()) return {text->data(), text->size()};
  auto const* branch = item.if_object();
  if (!branch) return json::serialize(item);
  auto out = "[" + in_words(branch->at("then").as_array());
  if (auto const* otherwise = branch->if_contains("else")) out += " | " + in_words(otherwise->as_array());
  return out + (branch->contains("each") ? "]…" : "]");
}

template <class Items>
std::string in_words(Items const& items) {
  std::string out;
  for (json::value const& item : items) out += (out.empty() ? "" : " ") + in_words(item);
  return out;
}

template <class Enum>
std::string word(Enum value) {
  return std::string{wire_names(value)[static_cast<std::size_t>(value)]};
}

std::string stop_words(runner::Profile const& profile) {
  std::string out;
  for (auto const& step : profile.stop)
    out += (out.empty() ? "" : ", ") + in_words(step.front()) + " " + json::serialize(step.back()) + " s";
  return out;
}

std::string names_of(std::map<std::string, json::value> const& env) {
  std::string out;
  for (auto const& [name, value] : env) out += (out.empty() ? "" : " ") + name;
  return out;
}

/// The levels at which the program is told of the MCP server of its run.
std::string server_levels(runner::McpRule const& rule) {
  if (rule.kind == runner::McpKind::none) return {};
  if (rule.pass) return "at every level";
  std::string out;
  for (auto const& level : rule.pass_at) out += (out.empty() ? "at " : ", ") + level;
  return out;
}

std::string yes_or_no(runner::Examination const& found) {
  if (!found.signed_in) return "not known";
  return *found.signed_in ? "yes: " + found.sign : "no";
}

}  // namespace

std::string list_line(runner::Profile const& profile, runner::Detection const& found) {
  return padded(profile.id) + (found.found ? "found " + found.version : "not found") + "\n";
}

std::string profile_text(runner::Profile const& profile, std::string const& file) {
  std::string out = profile.id + " · " + profile.title + "\n";
  out += row("file", file);
  out += row("extends", profile.extends);
  out += row("starts", in_words(profile.argv));
  out += row("continues", in_words(profile.resume_argv));
  for (auto const& [level, arguments] : profile.permissions)
    out += row("may " + level, arguments.empty() ? "(nothing more)" : in_words(arguments));
  out += row("MCP server", server_levels(profile.mcp));
  out += row("prompt", word(profile.prompt.via) + ", role: " + word(profile.prompt.role));
  out += row("sets", names_of(profile.env));
  out +=
      row("reads", word(profile.output.kind) + ", " + std::to_string(profile.output.rules.size()) + " rules");
  out += row("tokens", "of the " + word(profile.usage.scope));
  out += row("is stopped", stop_words(profile));
  out += row("get it", profile.detect.install);
  out += row("sign in", profile.detect.sign_in.how);
  return out;
}

std::string examination_text(runner::Examination const& found) {
  std::string out = found.id + " · " + found.title + "\n";
  if (!found.program.empty()) {
    out += row("program", found.program);
    out += row("version", found.version);
    out += row("signed in", yes_or_no(found));
    if (!found.flags.empty())
      out += row("flags", std::to_string(found.flags.size() - found.unknown_flags.size()) + " of " +
                              std::to_string(found.flags.size()) + " understood");
  }
  for (auto const& trial : found.sandbox)
    out += row(trial.name,
               trial.ok ? "ok" : "refused: " + trial.said + (trial.hint.empty() ? "" : "; " + trial.hint));
  for (auto const& problem : found.problems) out += "  ✗ " + cli::one_line(problem) + "\n";
  for (auto const& note : found.notes) out += "  · " + cli::one_line(note) + "\n";
  return out + (found.ready ? "  ✓ ready\n" : "");
}

}  // namespace andon::main
