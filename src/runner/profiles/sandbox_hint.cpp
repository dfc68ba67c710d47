#include "runner/profiles/sandbox_hint.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <filesystem>
#include <sys/prctl.h>
#include <unistd.h>
#include <vector>

#include "os/processes/own_terminals.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLookedAt = 16U << 10U;    ///< the end of the output
constexpr std::size_t kLongestNamedPath = 256;   ///< longer ones are named in no hint
constexpr std::size_t kMostPathsOfAnError = 8;   ///< each costs a few system calls
constexpr std::size_t kMostErrorsLookedAt = 32;  ///< from the end of the output
constexpr std::size_t kLinesBeforeAnError = 3;   ///< some programs name the file before the reason
/// No hint invites a person to open these.
constexpr std::array<std::string_view, 5> kSecret{".ssh", ".gnupg", ".password-store", ".netrc", ".pgpass"};

/// An error in the output of a program that ran in a sandbox.
struct Refusal {
  std::string_view text;  ///< its line and those before it
  SandboxSpec const& spec;
  Confined who;

  bool has_profile() const { return !spec.profile.empty(); }
};

/// A condition gives the word for `{}` of its sentence, or nothing when the setting would not help.
using Found = std::optional<std::string>;

bool is_within(fs::path const& outer, fs::path const& inner) {
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

bool is_in_one(std::vector<std::string> const& places, fs::path const& path) {
  return std::ranges::any_of(places, [&](std::string const& place) { return is_within(place, path); });
}

bool may_be_used(fs::path const& path, int mode) {
  return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

/// The absolute paths in a text, at most `kMostPathsOfAnError`, the last first.
std::vector<fs::path> paths_in(std::string_view text) {
  constexpr std::string_view kBefore = " \t\n'\"`([=:";
  std::vector<fs::path> out;
  for (auto at = text.rfind('/'); at != std::string_view::npos && out.size() < kMostPathsOfAnError;
       at = at == 0 ? std::string_view::npos : text.rfind('/', at - 1)) {
    if (at > 0 && kBefore.find(text[at - 1]) == std::string_view::npos) continue;
    bool const is_quoted = at > 0 && (text[at - 1] == '\'' || text[at - 1] == '"' || text[at - 1] == '`');
    auto const path = text.substr(at, text.find_first_of(is_quoted ? "'\"`\n" : " \t\n'\"`)],:;", at) - at);
    if (path.size() > 1 && path.size() <= kLongestNamedPath) out.emplace_back(path);
  }
  return out;
}

bool holds_a_closed_place(fs::path const& place, SandboxSpec const& spec) {
  auto const is_held = [&](std::string const& closed) { return is_within(place, closed); };
  return is_held(spec.home) || std::ranges::any_of(spec.kept_closed, is_held);
}

/// The part of a missing path that a folder of a profile would have to open: `~/.x/` for `~/.x/y/z`.
fs::path folder_to_open(fs::path const& missing, SandboxSpec const& spec) {
  auto first = missing;
  while (!may_be_used(first.parent_path(), F_OK) && first.has_relative_path()) first = first.parent_path();
  auto const holder = first.parent_path();
  return first == missing && !holds_a_closed_place(holder, spec) ? holder : first / "";
}

/// True when a hint may name a place: it neither is secret nor holds what must stay closed.
bool may_be_named(fs::path const& place, SandboxSpec const& spec) {
  auto const is_secret = [](fs::path const& part) {
    return std::ranges::find(kSecret, part.native()) != kSecret.end();
  };
  // Terminals have rows of their own.
  for (fs::path const terminals : {"/dev/pts", "/dev/ptmx"})
    if (is_within(place, terminals) || is_within(terminals, place)) return false;
  return std::ranges::none_of(place, is_secret) && !holds_a_closed_place(place, spec) &&
         !is_in_one(spec.kept_closed, place);
}

Found closed_place(Refusal const& refusal) {
  if (!refusal.has_profile()) return std::nullopt;
  auto const& spec = refusal.spec;
  for (auto const& named : paths_in(refusal.text)) {
    std::error_code error;
    auto const path = fs::weakly_canonical(named, error);
    if (error || is_in_one(spec.changes, path) || is_within(spec.work, path)) continue;
    bool const is_there = may_be_used(path, F_OK);
    auto const place = is_there ? path : folder_to_open(path, spec);
    bool const may_be_read = is_in_one(spec.reads, path);
    auto const holder = fs::is_directory(place, error) ? place : place.parent_path();
    bool const helps = is_there && !may_be_read ? may_be_used(path, R_OK)
                       : is_there               ? may_be_used(path, W_OK)
                       : place.has_filename()   ? may_be_used(holder, W_OK)
                                                : may_be_used(holder.parent_path(), W_OK);
    if (helps && may_be_named(place, spec)) return place.native();
  }
  return std::nullopt;
}

Found work_that_is_only_read(Refusal const& refusal) {
  if (refusal.who != Confined::agent || !refusal.spec.agent_only_reads_work) return std::nullopt;
  for (auto const& path : paths_in(refusal.text))
    if (is_within(refusal.spec.work, path)) return refusal.spec.work;
  return std::nullopt;
}

bool opens_all_terminals(SandboxSpec const& spec) {
  return std::ranges::find(spec.changes, "/dev/pts") != spec.changes.end();
}

Found terminals_off(Refusal const& refusal) {
  bool const is_off = !refusal.spec.own_terminals && !opens_all_terminals(refusal.spec);
  return refusal.has_profile() && is_off && os::can_have_own_terminals() ? Found{""} : std::nullopt;
}

Found terminals_refused(Refusal const& refusal) {
  bool const is_closed = !opens_all_terminals(refusal.spec);
  return refusal.has_profile() && is_closed && !os::can_have_own_terminals() ? Found{""} : std::nullopt;
}

/// Root's terminals need no user namespace, so nothing seems to be nobody's there.
Found others_are_nobody(Refusal const& refusal) {
  bool const is_so = refusal.spec.own_terminals && os::can_have_own_terminals() && ::geteuid() != 0;
  return refusal.has_profile() && is_so ? Found{""} : std::nullopt;
}

Found privileges_held_back(Refusal const& refusal) {
  bool const is_by_sandbox = ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0;
  return refusal.has_profile() && is_by_sandbox ? Found{""} : std::nullopt;
}

Found capabilities_taken(Refusal const& refusal) {
  return refusal.has_profile() && ::geteuid() == 0 ? Found{""} : std::nullopt;
}

Found proxy_held_back(Refusal const& refusal) {
  auto const& names = refusal.spec.proxies_held_back;
  return refusal.who == Confined::agent && !names.empty() ? Found{comma_list(names)} : std::nullopt;
}

struct HintRow {
  std::array<std::string_view, 7> signs;  ///< in small letters; one of them is in the line
  Found (*found)(Refusal const&);
  std::string_view says;  ///< `{}` is what was found, `{profile}` the agent profile
};

constexpr std::array kHintRows{
    HintRow{{"forkpty", "openpty", "posix_openpt", "/dev/ptmx", "pty devices", "pseudo-terminal",
             "pseudo terminal"},
            &terminals_off,
            R"(the sandbox has no terminals; set "terminals": "auto" in the agent profile {profile})"},
    HintRow{
        {"forkpty", "openpty", "posix_openpt", "/dev/ptmx", "pty devices", "pseudo-terminal",
         "pseudo terminal"},
        &terminals_refused,
        R"(the sandbox has no terminals, since this user may make no namespaces (andon doctor); for a user )"
        R"(without other terminals add "/dev/pts" and "/dev/ptmx" to the "folders" of the agent profile )"
        R"({profile})"},
    HintRow{{"bad owner or permissions on /etc/"},
            &others_are_nobody,
            R"(with terminals of its own, files of root seem to be of nobody in the sandbox; set )"
            R"("terminals": "off" in the agent profile {profile})"},
    HintRow{
        {"\"no new privileges\" flag", "no_new_privs"},
        &privileges_held_back,
        R"(no program gets more rights in the sandbox; a program that needs them needs "sandbox": "off" in )"
        R"(the agent profile {profile})"},
    HintRow{
        {"permission denied", "eacces", "os error 13", "errno 13", "access denied"},
        &work_that_is_only_read,
        R"(the level of the worker is "readonly", so the sandbox only lets it read {}; set its "permissions" )"
        R"(to "edit")"},
    HintRow{{"permission denied", "eacces", "os error 13", "errno 13", "access denied"},
            &closed_place,
            R"(the sandbox closes {}; if agents may have it, add it to the "folders" of the agent profile )"
            R"({profile})"},
    HintRow{{"operation not permitted", "eperm", "os error 1)", "errno 1]"},
            &capabilities_taken,
            R"(programs in the sandbox have no capabilities, also those of root; one that needs them needs )"
            R"("sandbox": "off" in the agent profile {profile})"},
    HintRow{{"could not resolve", "eai_again", "enotfound", "name resolution", "network is unreachable",
             "enetunreach", "etimedout"},
            &proxy_held_back,
            R"(the server has a proxy and the agent does not; add {} to the "env_pass" of the agent profile )"
            R"({profile})"},
};

bool has_sign(HintRow const& row, std::string_view line) {
  return std::ranges::any_of(
      row.signs, [&](auto sign) { return !sign.empty() && line.find(sign) != std::string_view::npos; });
}

std::string filled_in(std::string_view says, std::string_view found, std::string_view profile) {
  std::string out{says};
  auto const put = [&out](std::string_view mark, std::string const& word) {
    if (auto const at = out.find(mark); at != std::string::npos) out.replace(at, mark.size(), word);
  };
  put("{profile}", "\"" + std::string{profile} + "\"");
  put("{}", std::string{found});
  return out;
}

std::string in_small_letters(std::string_view text) {
  std::string out{text};
  for (auto& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// The begin of the line `kLinesBeforeAnError` lines before the one that begins at `at`.
std::size_t begin_of_context(std::string_view text, std::size_t at) {
  for (std::size_t i = 0; i < kLinesBeforeAnError && at > 1; ++i) {
    auto const newline = text.rfind('\n', at - 2);
    at = newline == std::string_view::npos ? 0 : newline + 1;
  }
  return at;
}

}  // namespace

std::string sandbox_hint(std::string_view output, SandboxSpec const& spec, Confined who) {
  auto const text = tail(output, kLookedAt);
  auto const small = in_small_letters(text);
  std::size_t errors = 0;
  for (auto end = small.size(); errors < kMostErrorsLookedAt;) {
    auto const newline = end == 0 ? std::string::npos : small.rfind('\n', end - 1);
    auto const begin = newline == std::string::npos ? 0 : newline + 1;
    auto const line = std::string_view{small}.substr(begin, end - begin);
    bool is_error = false;
    for (auto const& row : kHintRows) {
      if (!has_sign(row, line)) continue;
      is_error = true;
      auto const context = begin_of_context(text, begin);
      if (auto const found = row.found({text.substr(context, end - context), spec, who}))
        return filled_in(row.says, *found, spec.profile);
    }
    errors += is_error ? 1 : 0;
    if (newline == std::string::npos) break;
    end = newline;
  }
  return {};
}

void add_sandbox_hint(core::CheckResult& result, std::optional<SandboxSpec> const& spec, Confined who) {
  if (result.passed || !spec) return;
  if (auto const hint = sandbox_hint(result.output, *spec, who); !hint.empty())
    result.output += "\nHint: " + hint + "\n";
}

}  // namespace andon::runner
