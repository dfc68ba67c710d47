#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "api/local_executor.hpp"
#include "http/mailbox.hpp"
#include "http/message.hpp"
#include "service/access.hpp"

namespace andon::http {

inline constexpr std::string_view kSessionCookie = "andon_session";

/// What a request shows to prove who sent it; only the hash of the secret is kept.
struct Credential {
  std::string hash;
  bool is_cookie = false;
};
std::optional<Credential> credential_of(Request const& request);
/// SHA-256 as the store keeps it.
std::string hash_of(std::string_view secret);

/// Finds whom credentials stand for. What was found is kept until any credential changes. I/O thread only.
class Credentials {
 public:
  using Found = std::move_only_function<void(core::Result<service::Principal>)>;

  Credentials(api::LocalExecutor& executor, std::shared_ptr<Mailbox> mailbox)
      : executor_(executor), mailbox_(std::move(mailbox)) {}

  /// Calls `found` at once when the answer is known, else after a look into the store.
  void look_up(std::string const& hash, Found found);

 private:
  struct Known {
    service::Principal principal;
    core::Instant until{};
  };
  Known const* known(std::string const& hash);

  api::LocalExecutor& executor_;
  std::shared_ptr<Mailbox> mailbox_;
  std::unordered_map<std::string, Known> known_;
  std::uint64_t generation_ = 0;
  std::shared_ptr<Credentials*> self_ = std::make_shared<Credentials*>(this);
};

}  // namespace andon::http
