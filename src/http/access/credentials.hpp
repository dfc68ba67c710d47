#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "api/local_executor.hpp"
#include "http/wire/mailbox.hpp"
#include "http/wire/message.hpp"
#include "service/access/access.hpp"

namespace andon::http {

/// Begins the secret of a session, which the page of a signed-in browser holds.
inline constexpr std::string_view kPageSecretPrefix = "andon_p_";

/// The credential of a request. Only the hash of the secret is kept.
struct Credential {
  std::string hash;
  bool is_of_page = false;
};
/// Reads `Authorization: Bearer SECRET`. There is no other place for a credential: browsers send cookies to
/// every port of a host, and addresses are written down.
std::optional<Credential> credential_of(Request const& request);
/// SHA-256 in the form that the store keeps.
std::string hash_of(std::string_view secret);

/// Finds the principals of credentials. I/O thread only.
class Credentials {
 public:
  using Found = std::move_only_function<void(core::Result<service::Principal>)>;

  Credentials(api::LocalExecutor& executor, std::shared_ptr<Mailbox> mailbox)
      : executor_(executor), mailbox_(std::move(mailbox)) {}

  /// Calls `found` at once if the principal is cached, otherwise after a read of the store.
  void look_up(std::string const& hash, Found found);

 private:
  api::LocalExecutor& executor_;
  std::shared_ptr<Mailbox> mailbox_;
};

}  // namespace andon::http
