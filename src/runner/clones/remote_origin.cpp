#include <algorithm>

#include "core/runs/work_branch.hpp"
#include "os/processes/log.hpp"
#include "runner/clones/clone_origin.hpp"
#include "runner/clones/remote_git.hpp"
#include "runner/worktrees/repository.hpp"

namespace andon::runner {
namespace {

constexpr std::string_view kRemoteHeads = "refs/heads/";

std::string first_line(std::string const& text) {
  auto const begin = std::min(text.find_first_not_of('\n'), text.size());
  return shown_reason(text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin));
}

std::vector<std::string> branches_in(std::map<std::string, std::string> const& refs) {
  std::vector<std::string> out;
  for (auto const& [name, object] : refs)
    if (name.starts_with(kRemoteHeads)) out.push_back(name.substr(kRemoteHeads.size()));
  return out;
}

class RemoteOrigin : public CloneOrigin {
 public:
  RemoteOrigin(std::string url, ClonePlace place, std::filesystem::path data, GitUse use, std::string branch)
      : url_(url),
        branch_(std::move(branch)),
        git_(std::move(url), std::move(place), std::move(data), std::move(use)) {}

  core::Result<void> init() const override {
    auto const made = git_.init();
    return made.good ? core::Result<void>{} : refused(cause_in(made.complaint));
  }

  core::Result<OriginRefs> fetch() const override {
    auto const branch = git_.default_branch();
    if (!branch) return refused(cause_in(branch.error()));
    if (auto const fetched = git_.fetch(); !fetched.good) return refused(cause_in(fetched.complaint));
    OriginRefs out{*branch, git_.refs()};
    if (!out.refs.contains(std::string{kRemoteHeads} + *branch))
      return refused("its default branch " + *branch + " has no commit; push a first one");
    if (!branch_.empty() && !out.refs.contains(std::string{kRemoteHeads} + branch_))
      return std::unexpected(no_such_branch(url_, branch_, branches_in(out.refs)));
    return out;
  }

  std::optional<std::string> publish(std::string const& branch, std::string const& head) const override {
    auto const refs = git_.refs();
    auto const found = refs.find(std::string{kRemoteHeads} + branch);
    auto const before = found == refs.end() ? std::string{} : found->second;
    if (before == head) return std::nullopt;
    auto const pushed = git_.push(branch, head, before);
    if (pushed.good) return std::nullopt;
    return "the work is on this host only, since it could not be pushed to " + url_ + ": " +
           cause_in(pushed.complaint);
  }

  void unpublish(std::string const& head, core::TaskId task, std::string const& prefix) const override {
    for (auto const& [name, object] : git_.refs()) {
      if (object != head || !name.starts_with(kRemoteHeads)) continue;
      auto const branch = name.substr(kRemoteHeads.size());
      if (core::is_branch_of_task(branch, task, prefix)) remove(branch, head);
    }
  }

  std::optional<std::string> offer(std::string const&, std::string const&) const override {
    return std::nullopt;
  }

  std::optional<std::string> obstacle() const override { return std::nullopt; }

  std::optional<std::string> land(std::string const& branch, std::string const& commit,
                                  std::string const& onto) const override {
    auto const pushed = git_.push(branch, commit, onto);
    if (pushed.good) return std::nullopt;
    return branch + " of " + url_ + " could not be moved forward: " + cause_in(pushed.complaint);
  }

  bool complete_landing(std::string const&) const override { return false; }

 private:
  void remove(std::string const& branch, std::string const& head) const {
    if (auto const removed = git_.push(branch, {}, head); !removed.good)
      os::log(os::Level::warning, branch + " stays in " + url_ + ": " + cause_in(removed.complaint));
  }

  std::unexpected<core::Error> refused(std::string const& why) const {
    return core::refuse(core::Code::kConflict, "the repository " + url_ + " cannot be fetched: " + why,
                        "repo");
  }

  std::string url_;
  std::string branch_;
  RemoteGit git_;
};

}  // namespace

std::string cause_in(std::string const& complaint) {
  for (auto const* mark : {"fatal: ", "error: ", "! [", "ssh: ", "Permission denied", "Host key"})
    if (auto const at = complaint.find(mark); at != std::string::npos)
      return first_line(complaint.substr(at));
  return first_line(complaint);
}

std::unique_ptr<CloneOrigin> remote_origin(std::string url, ClonePlace place, std::filesystem::path data,
                                           GitUse use, std::string branch) {
  return std::make_unique<RemoteOrigin>(std::move(url), std::move(place), std::move(data), std::move(use),
                                        std::move(branch));
}

}  // namespace andon::runner
