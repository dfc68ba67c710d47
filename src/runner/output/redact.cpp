#include "runner/output/redact.hpp"

#include <algorithm>
#include <array>

#include "core/text/ascii.hpp"

namespace andon::runner {
namespace {

constexpr std::string_view kMark = "[redacted]";
constexpr std::string_view kTokenPrefix = "andon_";
constexpr std::size_t kShortestSecret = 8;
constexpr std::size_t kShortestToken = 16;
constexpr std::array<std::string_view, 4> kSecretEndings{"_KEY", "_TOKEN", "_SECRET", "_PASSWORD"};

bool is_token_character(char c) { return core::is_ascii_alphanumeric(c) || c == '_' || c == '-'; }

/// Whether a word is `andon_KIND_SECRET`. Names of functions and files have no such last part.
bool is_token(std::string_view word) {
  auto const secret = word.substr(word.rfind('_') + 1);
  return secret.size() >= kShortestToken && secret.find_first_of("0123456789") != std::string_view::npos;
}

void replace_all(std::string& text, std::string_view secret) {
  for (std::size_t at = 0; (at = text.find(secret, at)) != std::string::npos; at += kMark.size())
    text.replace(at, secret.size(), kMark);
}

void replace_tokens(std::string& text) {
  for (std::size_t at = 0; (at = text.find(kTokenPrefix, at)) != std::string::npos;) {
    auto end = at + kTokenPrefix.size();
    while (end < text.size() && is_token_character(text[end])) ++end;
    if (!is_token(std::string_view{text}.substr(at, end - at))) {
      at = end;
      continue;
    }
    text.replace(at, end - at, kMark);
    at += kMark.size();
  }
}

}  // namespace

Redactor::Redactor(std::vector<std::string> secrets) : secrets_(std::move(secrets)) {
  std::erase_if(secrets_, [](std::string const& secret) { return secret.size() < kShortestSecret; });
  std::ranges::sort(secrets_, [](auto const& a, auto const& b) { return a.size() > b.size(); });
}

Redactor Redactor::for_environment(std::span<std::string const> environment,
                                   std::vector<std::string> secrets) {
  for (std::string_view const variable : environment) {
    auto const end = variable.find('=');
    if (end == std::string_view::npos) continue;
    auto const name = variable.substr(0, end);
    if (std::ranges::any_of(kSecretEndings, [&](std::string_view ending) { return name.ends_with(ending); }))
      secrets.emplace_back(variable.substr(end + 1));
  }
  return Redactor{std::move(secrets)};
}

std::string Redactor::operator()(std::string_view text) const {
  std::string out{text};
  for (auto const& secret : secrets_) replace_all(out, secret);
  replace_tokens(out);
  return out;
}

}  // namespace andon::runner
