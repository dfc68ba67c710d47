#pragma once

#include <functional>
#include <memory>
#include <string>

#include "api/access/server_proof.hpp"
#include "api/status/readiness.hpp"
#include "http/access/authenticated_request.hpp"
#include "http/access/credentials.hpp"
#include "http/access/origin.hpp"
#include "http/access/proposals.hpp"
#include "http/access/quota.hpp"
#include "http/access/reads_in_flight.hpp"
#include "http/live/hub.hpp"
#include "http/live/output_watch.hpp"
#include "http/options.hpp"
#include "http/site/endpoint_requests.hpp"
#include "http/site/page.hpp"
#include "http/wire/connections.hpp"
#include "http/wire/counters.hpp"

namespace andon::http {

/// The ids of requests, different in each run of the server.
class RequestIds {
 public:
  RequestIds();
  std::string next() { return prefix_ + std::to_string(++last_); }

 private:
  std::string const prefix_;
  std::uint64_t last_ = 0;
};

/// The counters of requests that are limited by the minute.
struct Quotas {
  explicit Quotas(Limits const& limits)
      : failed_sign_ins(limits.failed_sign_ins_per_minute),
        wrong_tokens(limits.wrong_tokens_per_minute),
        creations(limits.creations_per_minute),
        phone_links(limits.phone_links_per_minute) {}

  Quota failed_sign_ins;
  Quota wrong_tokens;
  Quota creations;
  Quota phone_links;
};

/// Admits requests and serves them. I/O thread only.
class RequestHandler final : public Handler {
 public:
  RequestHandler(ServerOptions const& options, Backends const& backends, std::uint16_t port,
                 Connections& connections, std::shared_ptr<Mailbox> mailbox, boost::asio::io_context& io,
                 InUse in_use);

  void authenticate(std::shared_ptr<Session> session) override;
  std::string next_request_id() override;

  Hub& hub() { return hub_; }
  void note_commit();
  void tick(SteadyTime now);
  /// Ends all streams and their timers.
  void stop();

 private:
  void refuse_credential(Session& session, Credential const& credential, core::Error const& error);
  void refuse_code(Session& session);
  void exchange_code(AuthenticatedRequest const& authenticated, std::string const& code_hash);
  void raise_for_machine(Request const& request, std::string const& credential,
                         service::Caller& caller) const;
  void show_credential(std::shared_ptr<Session> const& session, Match match);
  void authorize(AuthenticatedRequest authenticated);
  void dispatch(AuthenticatedRequest const& authenticated);

  void run_operation(AuthenticatedRequest const& authenticated);
  void open_events(AuthenticatedRequest const& authenticated);
  void list_agents(AuthenticatedRequest const& authenticated);
  void tell_telegram(AuthenticatedRequest const& authenticated);
  void tell_readiness(AuthenticatedRequest const& authenticated);
  void ask_readiness(AuthenticatedRequest const& authenticated,
                     std::function<Response(api::Readiness)> answer_of);
  void take_output(AuthenticatedRequest const& authenticated);
  void send_log(AuthenticatedRequest const& authenticated);
  void prove(AuthenticatedRequest const& authenticated);
  void prove_nothing(Session& session, api::ProofRequest const& asked);
  void sign_in(AuthenticatedRequest const& authenticated);
  void sign_out(AuthenticatedRequest const& authenticated);
  void offer_phone_link(AuthenticatedRequest const& authenticated);
  void show_proposal(AuthenticatedRequest const& authenticated);
  void confirm_proposal(AuthenticatedRequest const& authenticated);
  /// Keeps a request that brings commands until somebody on the machine confirms it.
  void propose(AuthenticatedRequest const& authenticated, core::Error error);
  void serve_mcp(AuthenticatedRequest const& authenticated);
  /// Starts a call that an endpoint makes for a request, within the bounds that hold for requests of
  /// operations.
  void start_within_bounds(std::string const& credential, api::Call call, api::Reply reply);
  std::optional<core::Error> over_creations(api::Call const& call);
  void tell_metrics(AuthenticatedRequest const& authenticated);
  void start(AuthenticatedRequest const& authenticated, api::Call call);
  void start_read(AuthenticatedRequest const& authenticated, api::Call call);
  void answer(Session& session, Response response);
  void refuse(Session& session, core::Error const& error);

  ServerOptions const& options_;
  Backends const backends_;
  InUse in_use_;
  Origins const origins_;
  Page const page_;
  Connections& connections_;
  std::shared_ptr<Mailbox> mailbox_;
  Counters counters_;
  Credentials credentials_;
  Revocation revocation_;
  Hub hub_;
  OutputWatch output_;
  EndpointRequests mcp_;
  Quotas quotas_;
  Proposals proposals_;
  ReadsInFlight reads_;
  RequestIds ids_;
};

}  // namespace andon::http
