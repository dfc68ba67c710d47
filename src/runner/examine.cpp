#include "runner/examine.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "os/system_error.hpp"
#include "runner/ask_program.hpp"
#include "runner/detect.hpp"

namespace andon::runner {
namespace {

namespace json = boost::json;

std::string variable(std::span<std::string const> own, std::string_view name) {
  for (std::string_view const entry : own)
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('='))
      return std::string{entry.substr(name.size() + 1)};
  return {};
}

/// An option and its value may be one text: `--resume={session}`.
void collect_flags(json::value const& item, std::set<std::string>& flags) {
  if (auto const* text = item.if_string()) {
    std::string_view const word{text->data(), text->size()};
    if (word.size() > 1 && word.starts_with('-')) flags.emplace(word.substr(0, word.find('=')));
  } else if (auto const* list = item.if_array()) {
    for (auto const& inner : *list) collect_flags(inner, flags);
  } else if (auto const* branch = item.if_object()) {
    for (auto const* key : {"then", "else"})
      if (auto const* inner = branch->if_contains(key)) collect_flags(*inner, flags);
  }
}

bool is_of_a_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; }

bool tells_of(std::string_view help, std::string_view flag) {
  for (auto at = help.find(flag); at != std::string_view::npos; at = help.find(flag, at + 1)) {
    auto const end = at + flag.size();
    bool const begins = at == 0 || !is_of_a_word(help[at - 1]);
    if (begins && (end == help.size() || !is_of_a_word(help[end]))) return true;
  }
  return false;
}

std::string help_of(Profile const& profile, std::string const& program, core::Duration limit) {
  auto pages = profile.detect.help_argv;
  if (pages.empty()) pages.push_back({"--help"});
  std::string help;
  for (auto const& arguments : pages) help += ask_program(profile, program, arguments, limit).out + "\n";
  return help;
}

std::string joined(std::vector<std::string> const& words) {
  std::string out;
  for (auto const& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

void look_for_sign_in(Profile const& profile, std::span<std::string const> own, core::Duration limit,
                      Examination& out) {
  auto const& rule = profile.detect.sign_in;
  if (rule.env.empty() && rule.files.empty() && rule.status_argv.empty()) return;
  out.signed_in = true;
  for (auto const& name : rule.env) {
    out.sign = name + " is set";
    if (!variable(own, name).empty()) return;
  }
  for (auto const& file : rule.files) {
    out.sign = file + " is there";
    auto const path = file.starts_with("~/") ? variable(own, "HOME") + file.substr(1) : file;
    std::error_code error;
    if (std::filesystem::exists(path, error)) return;
  }
  if (!rule.status_argv.empty()) {
    out.sign = "it says so itself";
    auto const said = ask_program(profile, out.program, rule.status_argv, limit);
    if (said.status.code == 0 && !said.timed_out) return;
  }
  out.signed_in = false;
  out.sign.clear();
  out.problems.push_back("nobody has signed in to it: " + rule.how);
}

void look_at_flags(Profile const& profile, core::Duration limit, Examination& out) {
  auto const help = help_of(profile, out.program, limit);
  auto const& hidden = profile.detect.hidden_flags;
  for (auto const& flag : out.flags)
    if (std::ranges::find(hidden, flag) == hidden.end() && !tells_of(help, flag))
      out.unknown_flags.push_back(flag);
  if (!out.unknown_flags.empty())
    out.problems.push_back("its help does not tell of " + joined(out.unknown_flags) +
                           ": the profile is for another version of it");
}

}  // namespace

std::vector<std::string> flags_of(Profile const& profile) {
  std::set<std::string> flags;
  for (auto const& item : profile.argv) collect_flags(item, flags);
  for (auto const& item : profile.resume_argv) collect_flags(item, flags);
  for (auto const& [level, items] : profile.permissions)
    for (auto const& item : items) collect_flags(item, flags);
  return {flags.begin(), flags.end()};
}

Examination examine(Profile const& profile, std::span<std::string const> own, core::Duration limit) {
  Examination out;
  out.id = profile.id;
  out.title = profile.title;
  auto const found = detect(profile, variable(own, "PATH"), limit);
  if (!found.found) {
    auto const& install = profile.detect.install;
    out.problems.push_back(found.problem + (install.empty() ? "" : "; get it with: " + install));
    return out;
  }
  out.program = found.program;
  out.version = found.version;
  if (!profile.detect.version_argv.empty() && out.version.empty())
    out.problems.emplace_back("it does not tell its version, so it may be another program of that name");
  try {
    look_for_sign_in(profile, own, limit, out);
    // Only who says how a program is found knows that it has a help to ask for: a script may do its work
    // instead.
    if (!profile.detect.version_argv.empty()) {
      out.flags = flags_of(profile);
      look_at_flags(profile, limit, out);
    }
  } catch (os::SystemError const& error) {
    out.problems.emplace_back(error.what());
  }
  out.ready = out.problems.empty();
  return out;
}

}  // namespace andon::runner
