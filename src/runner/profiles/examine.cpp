#include "runner/profiles/examine.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/output/pattern.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/profiles/detect.hpp"
#include "runner/profiles/empty_start.hpp"

namespace andon::runner {
namespace {

namespace json = boost::json;

constexpr std::size_t kLargestSign = 1U << 20U;

std::string variable(std::span<std::string const> own, std::string_view name) {
  for (std::string_view const entry : own)
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('='))
      return std::string{entry.substr(name.size() + 1)};
  return {};
}

/// Collects the options of an argument item. An option and its value may be one text: `--resume={session}`.
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

std::string help_of(Profile const& profile, std::string const& program, AskLimit limit) {
  auto pages = profile.detect.help_argv;
  if (pages.empty()) pages.push_back({"--help"});
  std::string help;
  for (auto const& arguments : pages) help += ask_program(profile, program, arguments, limit).out + "\n";
  return help;
}

/// Whether a file proves a sign-in. Some programs keep such a file also without one, so its content may be
/// checked.
bool is_sign(std::filesystem::path const& path, std::string const& holds) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  if (holds.empty()) return true;
  auto const pattern = Pattern::compile(holds);
  return pattern && pattern->found_in(os::read_file_if_there(path, kLargestSign).value_or(std::string{}));
}

void look_for_sign_in(Profile const& profile, std::span<std::string const> own, AskLimit limit,
                      Examination& out) {
  auto const& rule = profile.detect.sign_in;
  if (rule.env.empty() && rule.files.empty() && rule.status_argv.empty()) return;
  out.signed_in = true;
  for (auto const& name : rule.env) {
    out.sign = name + " is set";
    if (!variable(own, name).empty() || profile.env.contains(name)) return;
  }
  for (auto const& file : rule.files) {
    out.sign = file + " is there";
    auto const path = file.starts_with("~/") ? variable(own, "HOME") + file.substr(1) : file;
    if (is_sign(path, rule.file_holds)) return;
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

void look_at_flags(Profile const& profile, AskLimit limit, Examination& out) {
  auto const help = help_of(profile, out.program, limit);
  auto const& hidden = profile.detect.hidden_flags;
  for (auto const& flag : out.flags)
    if (std::ranges::find(hidden, flag) == hidden.end() && !tells_of(help, flag))
      out.unknown_flags.push_back(flag);
  if (!out.unknown_flags.empty())
    out.problems.push_back("its help does not tell of " + comma_list(out.unknown_flags) +
                           ": the profile is for another version of it");
}

constexpr std::array<std::string_view, kUsageTimingNames.size()> kUsageNotes{
    "",
    "it tells its tokens only at its end: a token budget ends no run on the way, it holds the task back "
    "afterwards",
    "it never tells its tokens: token budgets do not hold for it"};

/// The result of a start at one level.
struct Start {
  std::string level;
  std::string trouble;  ///< empty when the program accepted its arguments
};

void try_starts(Profile const& profile, std::span<std::string const> own, AskLimit limit, Examination& out) {
  EmptyStart const place{profile, out.program, own, limit};
  bool const is_signed_out = out.signed_in == false;
  std::vector<Start> starts;
  for (auto const& [level, arguments] : profile.permissions)
    starts.push_back({level, place.trouble(level, false, is_signed_out)});
  if (starts.empty()) starts.push_back({{}, place.trouble({}, false, is_signed_out)});
  auto const works = [](Start const& start) { return start.trouble.empty(); };
  auto const good = std::ranges::find_if(starts, works);
  if (good == starts.end()) {
    out.problems.push_back(starts.front().trouble);
    return;
  }
  for (auto const& start : starts)
    if (!works(start))
      out.notes.push_back("at the level \"" + start.level + "\" it does not start: " + start.trouble);
  if (profile.resume_argv.empty()) return;
  if (auto const trouble = place.trouble(good->level, true, is_signed_out); !trouble.empty())
    out.problems.push_back("it cannot go on with a conversation: " + trouble);
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

Examination examine(Profile const& profile, std::span<std::string const> own, AskLimit limit) {
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
    // Only a profile that describes how to detect its program surely has a help option. A script might start
    // its work instead.
    if (!profile.detect.understood.empty()) {
      try_starts(profile, own, limit, out);
    } else if (!profile.detect.version_argv.empty()) {
      out.flags = flags_of(profile);
      look_at_flags(profile, limit, out);
    }
  } catch (os::SystemError const& error) {
    out.problems.emplace_back(error.what());
  }
  if (auto const note = kUsageNotes[static_cast<std::size_t>(profile.usage.told)]; !note.empty())
    out.notes.emplace_back(note);
  out.ready = out.problems.empty();
  return out;
}

}  // namespace andon::runner
