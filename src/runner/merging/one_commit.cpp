#include "runner/merging/one_commit.hpp"

#include <algorithm>

#include "core/text/visible_text.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

using Joined = MergeTree::Joined;

constexpr std::size_t kLongestSubject = 72;  ///< bytes

bool is_to_be_one_commit(service::LandingPlace const& place, Git const& git, std::string const& tip,
                         std::string const& joined) {
  return place.run.landing->squash || std::ranges::any_of(place.squashed, [&](std::string const& head) {
           return contains(git, joined, head) && !contains(git, tip, head);
         });
}

std::string tree_id(Git const& git, std::string const& commit) {
  return git.text({"rev-parse", "--verify", "--quiet", commit + "^{tree}"}).value_or("");
}

/// The tip itself when the work changes nothing there; empty when git made no commit.
std::string one_commit(Git const& git, std::string const& tip, std::string const& joined,
                       std::string const& message) {
  auto const files = tree_id(git, joined);
  if (files.empty() || files == tree_id(git, tip)) return files.empty() ? files : tip;
  return git.text({"commit-tree", files, "-p", tip, "-m", message}).value_or("");
}

}  // namespace

std::string message_of_one_commit(core::Task const& task) {
  auto const number = "#" + std::to_string(task.id);
  auto const title =
      core::is_blank(task.title) ? "Work on task " + number : core::visible_line(as_utf8(task.title));
  return std::string{head(title, kLongestSubject)} + "\n\nTask " + number +
         (task.key.empty() ? "" : " (" + task.key + ")") + "\n";
}

Joined join_work(service::LandingPlace const& place, MergeTree& tree, Repository const& repository) {
  auto joined = tree.join(repository, place.run.head, place.was_reverted, place.squashed);
  if (joined.commit.empty() || joined.commit == repository.tip) return joined;
  Git const git{tree.place(), tree.use()};
  if (!is_to_be_one_commit(place, git, repository.tip, joined.commit)) return joined;
  joined.commit = one_commit(git, repository.tip, joined.commit, message_of_one_commit(place.task));
  if (joined.commit.empty()) return {{}, {}, "git made no commit of the joined work"};
  if (auto trouble = tree.check_out(joined.commit); !trouble.empty()) return {{}, {}, std::move(trouble)};
  return joined;
}

}  // namespace andon::runner
