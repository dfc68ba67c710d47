#include "runner/git/questions.hpp"

#include "runner/output/plain_text.hpp"

namespace andon::runner {

std::string shown_reason(std::string const& why) {
  constexpr std::size_t kMostBytes = 300;
  return std::string{head(as_utf8(why), kMostBytes)};
}

bool has_commit(Git const& git, std::string const& id) {
  return git.succeeds({"cat-file", "-e", id + "^{commit}"});
}

bool has_branch(Git const& git, std::string const& name) {
  return git.succeeds({"rev-parse", "--verify", "--quiet", "refs/heads/" + name + "^{commit}"});
}

std::string fork_point(Git const& git, std::string const& tip, std::string const& head) {
  return git.text({"merge-base", tip, head}).value_or("");
}

bool is_commit_id(std::string_view text) {
  constexpr std::size_t kSha1Digits = 40;
  constexpr std::size_t kSha256Digits = 64;
  return (text.size() == kSha1Digits || text.size() == kSha256Digits) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool contains(Git const& git, std::string const& descendant, std::string const& ancestor) {
  return git.succeeds({"merge-base", "--is-ancestor", ancestor, descendant});
}

}  // namespace andon::runner
