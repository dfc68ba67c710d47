#include "core/model/clone_url.hpp"

#include <algorithm>
#include <array>

#include "core/text/names.hpp"

namespace andon::core {
namespace {

constexpr std::string_view kSchemeEnd = "://";
constexpr std::size_t kLongestRepo = 4096;
constexpr char kAllowed[] =
    "a clone URL begins with https://, http://, ssh:// or file:///, or is user@host:path";
constexpr char kSecret[] =
    "a clone URL must contain no user, password or token for http; put them into the file git/credentials of "
    "the data directory";

/// One kind of clone URL.
struct Scheme {
  std::string_view prefix;
  bool has_host;
  bool may_have_user;  ///< the user of http is a secret at some services
};
constexpr std::array kSchemes{Scheme{"https://", true, false}, Scheme{"http://", true, false},
                              Scheme{"ssh://", true, true}, Scheme{"file://", false, false}};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-' || c == '+';
}

bool is_word(std::string_view text) {
  return !text.empty() && text.front() != '-' && std::ranges::all_of(text, [](char c) { return is_word(c); });
}

/// A host with an optional port, or an IPv6 address in brackets.
bool is_host(std::string_view text) {
  return !text.empty() && text.front() != '-' &&
         std::ranges::all_of(text, [](char c) { return is_word(c) || c == ':' || c == '[' || c == ']'; });
}

/// The text before the first colon, when git would take it for a host or for a remote helper.
std::string_view before_colon(std::string_view repo) {
  auto const colon = repo.find(':');
  if (colon == std::string_view::npos || repo.substr(0, colon).find('/') != std::string_view::npos) return {};
  return repo.substr(0, colon);
}

bool is_short_form(std::string_view repo) {
  auto const place = before_colon(repo);
  auto const at = place.find('@');
  return at != std::string_view::npos && at > 0 && !repo.substr(place.size()).starts_with(kSchemeEnd);
}

std::string fault_of_short_form(std::string_view repo) {
  auto const place = before_colon(repo);
  auto const at = place.find('@');
  auto const path = repo.substr(place.size() + 1);
  if (!is_word(place.substr(0, at)) || !is_word(place.substr(at + 1)) || path.empty() || path.front() == '-')
    return kAllowed;
  return {};
}

std::string fault_of_url(Scheme const& scheme, std::string_view repo) {
  auto const rest = repo.substr(scheme.prefix.size());
  if (!scheme.has_host)
    return rest.size() > 1 && rest.starts_with('/') ? std::string{}
                                                    : "a file URL has three slashes: file:///srv/shop.git";
  auto const slash = std::min(rest.find('/'), rest.size());
  auto authority = rest.substr(0, slash);
  if (auto const at = authority.rfind('@'); at != std::string_view::npos) {
    auto const user = authority.substr(0, at);
    if (!scheme.may_have_user || user.find(':') != std::string_view::npos) return kSecret;
    if (!is_word(user)) return kAllowed;
    authority.remove_prefix(at + 1);
  }
  if (rest.find_first_of("?#") != std::string_view::npos)
    return "a clone URL must contain neither \"?\" nor \"#\"; put tokens into the file git/credentials of "
           "the "
           "data directory";
  return is_host(authority) && rest.size() > slash + 1 ? std::string{} : std::string{kAllowed};
}

}  // namespace

bool is_clone_url(std::string_view repo) {
  return is_short_form(repo) ||
         std::ranges::any_of(kSchemes, [&](Scheme const& each) { return repo.starts_with(each.prefix); });
}

std::string fault_of_repo(std::string_view repo) {
  if (is_unsafe_line(repo) || repo.size() > kLongestRepo)
    return "it must be one line without control characters: a path or a clone URL";
  if (repo.starts_with('-')) return "it must not begin with \"-\"; write a path as ./-NAME";
  if (is_clone_url(repo) && repo.find_first_of(" \\\"") != std::string_view::npos)
    return "a clone URL must contain no blank, quote or backslash; write %20 for a blank";
  for (auto const& scheme : kSchemes)
    if (repo.starts_with(scheme.prefix)) return fault_of_url(scheme, repo);
  if (is_short_form(repo)) return fault_of_short_form(repo);
  auto const place = before_colon(repo);
  auto const after = repo.substr(std::min(place.size(), repo.size()));
  if (!place.empty() && (after.starts_with("::") || after.starts_with(kSchemeEnd))) return kAllowed;
  if (!place.empty() && after.find('@') != std::string_view::npos) return kSecret;
  return {};
}

}  // namespace andon::core
