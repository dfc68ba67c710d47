#include "runner/worktrees/followed_refs.hpp"

#include <fcntl.h>

#include "os/files/file.hpp"

namespace andon::runner {
namespace {

/// The input of `git update-ref --stdin` that removes refs.
std::string removals_from(Refs const& now, Refs const& wanted) {
  std::string out;
  for (auto const& [name, object] : now)
    if (!wanted.contains(name)) out += "option no-deref\ndelete " + name + "\n";
  return out;
}

/// The input of `git update-ref --stdin` that sets refs.
std::string updates_from(Refs const& now, Refs const& wanted) {
  std::string out;
  for (auto const& [name, object] : wanted)
    if (auto const found = now.find(name); found == now.end() || found->second != object)
      out += "option no-deref\nupdate " + name + " " + object + "\n";
  return out;
}

}  // namespace

Refs followed_refs(Git const& git, std::vector<std::string> const& branches) {
  std::vector<std::string> ask{"for-each-ref", "--format=%(refname) %(objectname)", "refs/remotes/origin",
                               "refs/tags"};
  for (auto const& branch : branches) ask.push_back("refs/heads/" + branch);
  Refs out;
  for (auto const& line : git.list(ask))
    if (auto const blank = line.find(' '); blank != std::string::npos)
      out[line.substr(0, blank)] = line.substr(blank + 1);
  out.erase("refs/remotes/origin/HEAD");
  return out;
}

std::string follow_refs(Git const& git, std::vector<std::string> const& branches, Refs const& wanted,
                        std::filesystem::path const& scratch) {
  auto const now = followed_refs(git, branches);
  // One after the other: git does not replace `a` by `a/b` in one step.
  for (auto const& changes : {removals_from(now, wanted), updates_from(now, wanted)}) {
    if (changes.empty()) continue;
    os::write_passing_file(scratch, changes);
    os::Descriptor const input{::open(scratch.c_str(), O_RDONLY | O_CLOEXEC)};
    if (auto const done = git.run({"update-ref", "--stdin"}, {}, input.get()); !done.good)
      return done.complaint;
  }
  return {};
}

}  // namespace andon::runner
