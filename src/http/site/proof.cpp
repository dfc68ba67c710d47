#include "api/access/server_proof.hpp"
#include "http/site/request_handler.hpp"
#include "os/processes/clock.hpp"
#include "os/random.hpp"
#include "reflect/json.hpp"
#include "store/contract/store_error.hpp"

// The server proves that it knows a token before a client sends the token.
namespace andon::http {
namespace {

using core::Code;
using core::Error;
using Hash = std::optional<std::string>;

/// Makes the proofs for unknown tokens; another one in each process.
std::string const& own_secret() {
  static auto const secret = os::random_hex(32);
  return secret;
}

core::Result<Hash> look_for_hash(api::LocalExecutor& executor, std::string const& digits) try {
  Hash out;
  executor.read([&](service::OperationContext& ctx) { out = service::hash_beginning_with(ctx, digits); });
  return out;
} catch (store::StoreError const&) {
  return core::refuse(Code::kBusy, "the store does not answer; try again");
}

}  // namespace

void RequestHandler::prove(AuthenticatedRequest const& authenticated) {
  auto asked = reflect::read_json<api::ProofRequest>(authenticated.request().body);
  if (!asked) return refuse(*authenticated.session, asked.error());
  if (auto const checked = api::check(*asked); !checked)
    return refuse(*authenticated.session, checked.error());
  auto& executor = backends_.executor;
  executor.on_lookup([this, &executor, mailbox = mailbox_, in_use = in_use_,
                      weak = std::weak_ptr(authenticated.session), asked = *std::move(asked)]() mutable {
    auto hash = look_for_hash(executor, asked.token);
    mailbox->post([this, weak, asked = std::move(asked), hash = std::move(hash)] {
      auto const here = weak.lock();
      if (!here) return;
      if (!hash) return refuse(*here, hash.error());
      if (!*hash) return prove_nothing(*here, asked);
      answer(*here, {.body = reflect::to_json(api::ServerProof{api::proof_of(**hash, asked.nonce)})});
    });
  });
}

/// Answers for an unknown token, as for one that is known, so that nobody learns which tokens there are.
void RequestHandler::prove_nothing(Session& session, api::ProofRequest const& asked) {
  auto const& from = session.request().peer.address;
  auto const now = os::SteadyClock::now();
  if (quotas_.wrong_tokens.is_used_up(from, now))
    return refuse(session, Error{Code::kRateLimited, "too many wrong tokens; wait a minute", {}, {}, {}}.with(
                               "retry_after", std::int64_t{60}));
  quotas_.wrong_tokens.count(from, now);
  answer(session, {.body = reflect::to_json(api::ServerProof{api::proof_of_unknown(own_secret(), asked)})});
}

}  // namespace andon::http
