#include "runner/merging/later_commits.hpp"

#include <algorithm>
#include <set>

#include "core/text/visible_text.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kMostNamedWorks = 20;
constexpr std::size_t kMostTitleBytes = 100;
constexpr std::size_t kMostPathBytes = 64U << 10U;  ///< more files than that are not given to git by name

/// One line for a sentence.
std::string shown_title(std::string_view title) {
  return std::string{head(core::visible_text(as_utf8(title)), kMostTitleBytes)};
}

std::size_t bytes_of(std::vector<std::string> const& files) {
  std::size_t out = 0;
  for (auto const& file : files) out += file.size() + 1;
  return out;
}

/// The states of the branch since one of them; empty when it did not go from one to the next.
std::map<std::string, std::size_t, std::less<>> line_from(Git const& git, std::string const& since,
                                                          std::string const& tip) {
  std::map<std::string, std::size_t, std::less<>> out{{since, 0}};
  auto state = since;
  for (auto const& line :
       git.list({"rev-list", "--first-parent", "--reverse", "--parents", since + ".." + tip})) {
    auto const end = std::min(line.find(' ') + 1, line.size());
    if (line.compare(end, state.size(), state) != 0) return {};
    state = line.substr(0, state.size());
    out.emplace(state, out.size());
  }
  if (state != tip) return {};
  return out;
}

/// Parses `ID SHORT SUBJECT`.
LaterCommit later_commit(std::string const& line) {
  auto const first = std::min(line.find(' '), line.size());
  auto const second = std::min(line.find(' ', first + 1), line.size());
  return {line.substr(0, first), line.substr(std::min(first + 1, line.size()), second - first - 1),
          line.substr(std::min(second + 1, line.size()))};
}

}  // namespace

LaterCommits::LaterCommits(Git const& git, std::string const& tip, std::vector<core::Landing> const& own,
                           service::LandedWorks const& known)
    : git_(git), since_(own.back().onto), tip_(tip), known_(known), order_(line_from(git, since_, tip)) {
  for (auto const& landing : own) leave_out(landing.onto, landing.commit);
  if (left_out_.size() != own.size()) {
    order_.clear();
    left_out_.clear();
    since_ = own.front().commit;
  }
  for (auto const& work : known.items) {
    if (!work.revert || work.revert->state != core::RevertState::reverted) continue;
    leave_out(work.landing.onto, work.landing.commit);
    leave_out(work.revert->onto, work.revert->commit);
  }
}

std::optional<LaterCommits::Range> LaterCommits::range(std::string const& onto,
                                                       std::string const& commit) const {
  auto const after = order_.find(onto);
  auto const last = order_.find(commit);
  if (after == order_.end() || last == order_.end()) return std::nullopt;
  return Range{after->second, last->second};
}

void LaterCommits::leave_out(std::string const& onto, std::string const& commit) {
  if (auto const found = range(onto, commit)) left_out_.push_back(*found);
}

bool LaterCommits::counts(std::string const& commit) const {
  auto const found = order_.find(commit);
  return found == order_.end() ||
         std::ranges::none_of(left_out_, [&](Range const& range) { return range.contains(found->second); });
}

std::vector<LaterCommit> LaterCommits::touching(std::vector<std::string> const& files) const {
  std::vector<std::string> arguments{"--literal-pathspecs",
                                     "log",
                                     "--first-parent",
                                     "--reverse",
                                     "-z",
                                     "--no-show-signature",
                                     "--format=%H %h %s",
                                     since_ + ".." + tip_};
  arguments.emplace_back("--");
  if (bytes_of(files) <= kMostPathBytes) arguments.insert(arguments.end(), files.begin(), files.end());
  std::vector<LaterCommit> out;
  for (auto const& line : git_.list(arguments, '\0'))
    if (auto commit = later_commit(line); counts(commit.id)) out.push_back(std::move(commit));
  return out;
}

service::LandedWork const* LaterCommits::work_of(std::string const& commit) const {
  auto const place = order_.find(commit);
  if (place == order_.end()) return nullptr;
  auto const found = std::ranges::find_if(known_.items, [&](service::LandedWork const& work) {
    auto const landed = range(work.landing.onto, work.landing.commit);
    return landed && landed->contains(place->second);
  });
  return found == known_.items.end() ? nullptr : &*found;
}

std::string LaterCommits::names(std::vector<LaterCommit> const& commits) const {
  std::vector<std::string> out;
  std::set<core::TaskId> named;
  for (auto const& commit : commits) {
    auto const* work = work_of(commit.id);
    if (work && !named.insert(work->task).second) continue;
    out.push_back((work ? "#" + std::to_string(work->task) + " \"" + shown_title(work->title) + "\""
                        : "\"" + shown_title(commit.subject) + "\"") +
                  " (" + commit.short_id + ")");
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(out.size(), kMostNamedWorks); ++i)
    text += (i == 0 ? "" : ", ") + out[i];
  return out.size() > kMostNamedWorks
             ? text + " and " + std::to_string(out.size() - kMostNamedWorks) + " more"
             : text;
}

}  // namespace andon::runner
