#include "http/credentials.hpp"

#include "http/letters.hpp"
#include "os/digest.hpp"

namespace andon::http {
namespace {

constexpr std::string_view kBearer = "bearer ";
constexpr std::size_t kMostKnown = 10'000;
/// Bounds how long an ended run's token is known beyond its time.
constexpr core::Duration kKnownFor = std::chrono::minutes{1};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string_view cookie_named(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    auto const end = std::min(cookies.find(';'), cookies.size());
    auto const pair = trimmed(cookies.substr(0, end));
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('='))
      return pair.substr(name.size() + 1);
  }
  return {};
}

core::Result<service::Principal> find(api::LocalExecutor& executor, std::string const& hash) {
  core::Result<service::Principal> out =
      core::refuse(core::Code::kBusy, "the store does not answer; try again");
  try {
    executor.read([&](service::Unit& u) { out = service::principal_of(u, hash); });
  } catch (store::StoreError const&) {
    return out;
  }
  return out;
}

}  // namespace

std::string hash_of(std::string_view secret) { return os::hex(os::sha256(secret)); }

std::optional<Credential> credential_of(Request const& request) {
  if (auto const text = request.header(Field::authorization); !text.empty()) {
    if (lower(text.substr(0, kBearer.size())) != kBearer) return std::nullopt;
    return Credential{hash_of(trimmed(text.substr(kBearer.size()))), false};
  }
  auto const cookie = cookie_named(request.header(Field::cookie), kSessionCookie);
  if (cookie.empty()) return std::nullopt;
  return Credential{hash_of(cookie), true};
}

Credentials::Known const* Credentials::known(std::string const& hash) {
  auto const now = executor_.clock().now();
  if (generation_ != executor_.credentials()) return nullptr;
  auto const found = known_.find(hash);
  return found != known_.end() && now < found->second.until ? &found->second : nullptr;
}

void Credentials::look_up(std::string const& hash, Found found) {
  if (auto const* one = known(hash)) return found(one->principal);
  auto const generation = executor_.credentials();
  executor_.on_reader([&executor = executor_, mailbox = mailbox_, self = std::weak_ptr(self_), hash,
                       generation, found = std::move(found)]() mutable {
    mailbox->post(
        [self, hash, generation, answer = find(executor, hash), found = std::move(found)]() mutable {
          if (auto const owner = self.lock(); owner && answer) {
            auto& all = **owner;
            if (all.generation_ < generation || all.known_.size() >= kMostKnown) all.known_.clear();
            all.generation_ = std::max(all.generation_, generation);
            auto const until = all.executor_.clock().now() + kKnownFor;
            if (all.generation_ == generation)
              all.known_[hash] = {*answer, std::min(until, answer->expires.value_or(until))};
          }
          found(std::move(answer));
        });
  });
}

}  // namespace andon::http
