#include "runner/clones/remote_git.hpp"

#include <array>

#include "os/files/file.hpp"
#include "os/processes/capture.hpp"
#include "os/processes/confinement.hpp"
#include "os/processes/log.hpp"
#include "os/processes/program.hpp"
#include "os/system_error.hpp"
#include "runner/clones/remote_access.hpp"
#include "runner/git/git_environment.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFile = "file://";
constexpr std::string_view kBranchRefs = "refs/heads/";
constexpr std::size_t kMostOutput = 32U << 20U;  ///< the list of a remote's refs

/// Nothing here starts another program than git, its parts, a shell and ssh.
constexpr std::array kPrograms{"/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu"};

/// Settings of every command.
constexpr std::array kSettings{"core.hooksPath=/dev/null",
                               "core.fsmonitor=false",
                               "core.alternateRefsCommand=false",
                               "core.askPass=",
                               "gc.auto=0",
                               "maintenance.auto=false",
                               "fetch.recurseSubmodules=false",
                               "push.recurseSubmodules=no",
                               "push.gpgSign=false",
                               "http.lowSpeedLimit=1",
                               "http.lowSpeedTime=60"};

/// The program at the other end of a push into a directory: agents may be able to write its settings.
constexpr char kReceive[] =
    "git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.alternateRefsCommand=false -c "
    "receive.autogc=false -c maintenance.auto=false receive-pack";

/// The variables of the own environment that the way to other machines may need.
constexpr std::array kPassed{"http_proxy", "https_proxy", "HTTPS_PROXY",   "all_proxy",   "ALL_PROXY",
                             "no_proxy",   "NO_PROXY",    "SSL_CERT_FILE", "SSL_CERT_DIR"};

std::string own_variable(std::string_view name) {
  for (std::string_view const variable : os::own_environment())
    if (variable.starts_with(name) && variable.substr(name.size()).starts_with('='))
      return std::string{variable.substr(name.size() + 1)};
  return {};
}

std::vector<std::string> environment(ClonePlace const& place, Environment const& more) {
  auto out = git_environment("https:http:ssh:file");
  out.push_back("GIT_DIR=" + place.remote().native());
  out.push_back("GIT_OBJECT_DIRECTORY=" + place.objects().native());
  for (auto const* name : kPassed)
    if (auto const value = own_variable(name); !value.empty()) out.push_back(std::string{name} + "=" + value);
  for (auto const& [name, value] : more) out.push_back(name + "=" + value);
  return out;
}

std::optional<os::Confinement> confinement_for(std::string const& url, ClonePlace const& place,
                                               fs::path const& git) {
  auto made = os::Confinement::make(os::Confinement::Closed::changes);
  if (!made) return made;
  for (auto const* directory : kPrograms) made->allow_reading(directory);
  made->allow_reading(git.parent_path());
  made->allow_changes("/dev/null");
  made->allow_changes(place.remote());
  made->allow_changes(place.objects());
  if (url.starts_with(kFile)) made->allow_changes(fs::path{url.substr(kFile.size())});
  return made;
}

}  // namespace

GitAnswer RemoteGit::run(std::vector<std::string> const& arguments, bool is_signed_in) const try {
  auto const git = os::find_program("git", search_path_of_git());
  if (!git) return {false, {}, "git is not installed", false};
  RemoteAccess access;
  if (is_signed_in) {
    auto given = remote_access(data_);
    if (!given) return {false, {}, given.error().message, false};
    access = *std::move(given);
  }
  std::error_code trouble;
  if (fs::is_symlink(place_.objects(), trouble) || fs::is_symlink(place_.repo() / ".git", trouble))
    return {false, {}, "a link is in the place of a part of the clone " + place_.repo().native(), false};
  auto variables = access.environment;
  variables.insert(variables.end(), use_.marks.begin(), use_.marks.end());
  auto const confinement = confinement_for(url_, place_, *git);
  os::Command command{.program = *git,
                      .argv = {"git", "--no-pager"},
                      .env = environment(place_, variables),
                      .cwd = place_.remote(),
                      .confinement = os::handle_of(confinement)};
  for (auto const* setting : kSettings) {
    command.argv.emplace_back("-c");
    command.argv.emplace_back(setting);
  }
  command.argv.insert(command.argv.end(), access.arguments.begin(), access.arguments.end());
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  auto done = os::capture(std::move(command), {.time = use_.limit, .bytes = kMostOutput, .stop = use_.stop});
  auto complaint =
      done.timed_out ? "the remote did not answer within " + std::to_string(use_.limit.count() / 1000) + " s"
                     : done.out.substr(done.printed);
  done.out.resize(done.printed);
  return {done.status.code == 0 && !done.timed_out, std::move(done.out), std::move(complaint),
          done.timed_out};
} catch (os::SystemError const& error) {
  return {false, {}, error.what(), false};
}

GitAnswer RemoteGit::init() const {
  os::make_private_directory(place_.remote());
  os::make_private_directory(place_.objects());
  auto made = run({"init", "--quiet", "--bare", "--template="}, false);
  if (!made.good) return made;
  // A whole repository without files. The URL is only for people and for relative submodules.
  auto const git = place_.git();
  os::make_private_directory(git / "refs");
  os::write_file(git / "HEAD", "ref: refs/heads/main\n");
  os::write_file(git / "config",
                 "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
                 "\tlogallrefupdates = true\n[remote \"origin\"]\n\turl = \"" +
                     url_ + "\"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n");
  return made;
}

std::expected<std::string, std::string> RemoteGit::default_branch() const {
  auto const answer = run({"ls-remote", "--symref", "--", url_, "HEAD"}, true);
  if (!answer.good) return std::unexpected(answer.complaint);
  constexpr std::string_view kRef = "ref: refs/heads/";
  auto const line = answer.out.substr(0, answer.out.find('\n'));
  auto const end = line.find('\t');
  if (!line.starts_with(kRef) || end == std::string::npos)
    return std::unexpected(
        "the remote names no default branch; push a first commit and set its HEAD to a branch");
  return line.substr(kRef.size(), end - kRef.size());
}

GitAnswer RemoteGit::fetch() const {
  return run({"fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head", "--force", "--", url_,
              "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"},
             true);
}

std::map<std::string, std::string> RemoteGit::refs() const {
  std::map<std::string, std::string> out;
  auto const answer = run({"for-each-ref", "--format=%(refname) %(objectname)"}, false);
  for (std::string_view rest = answer.out; !rest.empty();) {
    auto const end = std::min(rest.find('\n'), rest.size());
    auto const line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (auto const blank = line.find(' '); blank != std::string_view::npos)
      out[std::string{line.substr(0, blank)}] = line.substr(blank + 1);
  }
  return out;
}

GitAnswer RemoteGit::push(std::string const& branch, std::string const& commit,
                          std::string const& before) const {
  auto const ref = std::string{kBranchRefs} + branch;
  std::vector<std::string> arguments{"push", "--quiet", "--no-verify"};
  if (url_.starts_with(kFile)) arguments.push_back(std::string{"--receive-pack="} + kReceive);
  arguments.insert(arguments.end(),
                   {"--force-with-lease=" + ref + ":" + before, "--", url_, commit + ":" + ref});
  auto answer = run(arguments, true);
  if (!answer.good) return answer;
  // Without this the next push is refused until the clone is fetched.
  auto const noted = run(commit.empty() ? std::vector<std::string>{"update-ref", "-d", ref}
                                        : std::vector<std::string>{"update-ref", ref, commit},
                         false);
  if (!noted.good) os::log(os::Level::warning, ref + " of " + url_ + " was not noted: " + noted.complaint);
  return answer;
}

}  // namespace andon::runner
