#include "runner/profiles/sandbox_trial.hpp"

#include <array>
#include <optional>
#include <string_view>

#include "core/text/terminal_text.hpp"
#include "os/files/file.hpp"
#include "os/files/scratch_directory.hpp"
#include "os/network/loopback_listener.hpp"
#include "os/processes/capture.hpp"
#include "os/system_error.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/profiles/agent_environment.hpp"
#include "runner/profiles/sandbox.hpp"
#include "runner/profiles/sandbox_hint.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr core::Duration kTrialLimit{10'000};
constexpr std::size_t kMostSaid = 16U << 10U;
constexpr std::size_t kLongestWords = 300;

struct TrialRow {
  std::string_view name;
  std::string_view script;
};
constexpr std::array kTrials{
    TrialRow{"shell", "echo x >file && cat file >/dev/null"},
    TrialRow{"terminal", "exec 3<>/dev/ptmx && ls /dev/pts >/dev/null"},
    TrialRow{"commit", "git init -q repo && cd repo && git commit -q --allow-empty -m try"},
};
/// Git is the program that every agent has, and its own protocol needs no other. The connection ends it.
constexpr TrialRow kNetwork{"network", "git ls-remote git://127.0.0.1:$ANDON_TRIAL_PORT/try"};

/// The directory of a run without a run: what a sandbox opens of it.
struct TrialDirectory {
  os::ScratchDirectory scratch;
  fs::path work = scratch.path() / "own/work";

  TrialDirectory() {
    for (auto const& part : {work, scratch.path() / "tmp"}) os::make_private_directory(part);
  }
};

std::string last_words(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with(' ')) text.remove_suffix(1);
  auto const newline = text.rfind('\n');
  auto const line = newline == std::string_view::npos ? text : text.substr(newline + 1);
  return line.empty() ? "it printed nothing" : shortened(core::without_escapes(as_utf8(line)), kLongestWords);
}

class Trials {
 public:
  Trials(Profile const& profile, SandboxTrialPlace const& place, std::span<std::string const> own) {
    environment_ = agent_environment(profile, own, {},
                                     {{"TMPDIR", (directory_.scratch.path() / "tmp").native()},
                                      {"ANDON_TRIAL_PORT", std::to_string(listener_.port())},
                                      {"GIT_AUTHOR_NAME", "andon"},
                                      {"GIT_AUTHOR_EMAIL", "andon@localhost"},
                                      {"GIT_COMMITTER_NAME", "andon"},
                                      {"GIT_COMMITTER_EMAIL", "andon@localhost"}},
                                     place.andon_directory.native());
    if (!has_sandbox(profile)) return;
    spec_ = sandbox_of({.program = place.program,
                        .andon_directory = place.andon_directory,
                        .data = place.data,
                        .run_dir = directory_.scratch.path(),
                        .cwd = directory_.work,
                        .environment = environment_,
                        .folders = profile.folders,
                        .own_terminals = profile.terminals == Terminals::automatic,
                        .profile = profile.id});
    spec_->held_ports.clear();  // no trial listens, and the rules take time
    confinement_ = confinement_of(*spec_, Confined::agent, {});
  }

  SandboxTrial run(TrialRow const& row) const {
    auto const said = capture(row, -1);
    return result(row, said.status.code == 0 && !said.timed_out, said.out);
  }

  SandboxTrial run_network() const {
    auto const said = capture(kNetwork, listener_.handle());
    return result(kNetwork, listener_.take_connection(), said.out);
  }

 private:
  os::Captured capture(TrialRow const& row, int stop) const {
    return os::capture({.program = "/bin/sh",
                        .argv = {"sh", "-c", std::string{row.script}},
                        .env = environment_,
                        .cwd = directory_.work,
                        .confinement = os::handle_of(confinement_)},
                       {.time = kTrialLimit, .bytes = kMostSaid, .stop = stop});
  }

  SandboxTrial result(TrialRow const& row, bool ok, std::string const& said) const {
    SandboxTrial out{.name = std::string{row.name}, .ok = ok, .said = {}, .hint = {}};
    if (ok) return out;
    out.said = last_words(said);
    if (spec_) out.hint = sandbox_hint(said, *spec_, Confined::agent);
    return out;
  }

  TrialDirectory directory_;
  os::LoopbackListener listener_;
  std::vector<std::string> environment_;
  std::optional<SandboxSpec> spec_;
  std::optional<os::Confinement> confinement_;
};

}  // namespace

std::vector<SandboxTrial> try_sandbox(Profile const& profile, SandboxTrialPlace const& place,
                                      std::span<std::string const> own) try {
  Trials const trials{profile, place, own};
  std::vector<SandboxTrial> out;
  for (auto const& row : kTrials) out.push_back(trials.run(row));
  out.push_back(trials.run_network());
  return out;
} catch (os::SystemError const& error) {
  return {{.name = "shell", .ok = false, .said = error.what(), .hint = {}}};
}

}  // namespace andon::runner
