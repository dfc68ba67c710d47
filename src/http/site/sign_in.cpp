#include "api/sign_in_link.hpp"
#include "http/site/admission.hpp"
#include "http/site/request_handler.hpp"
#include "http/wire/refusal.hpp"
#include "os/processes/clock.hpp"
#include "reflect/described.hpp"
#include "reflect/json.hpp"
#include "store/contract/store_error.hpp"

// Signing in with a one-time code, and signing out.
namespace andon::http {
namespace {

using core::Code;
using core::Error;
using core::Result;

using Written = std::move_only_function<void(core::Result<void>)>;

/// Runs a writing function that is no operation of the table. Calls `done` on a thread of the store.
void start_writing(api::LocalExecutor& executor,
                   std::move_only_function<core::Result<void>(service::OperationContext&)> work,
                   Written done) {
  auto const outcome = std::make_shared<core::Result<void>>();
  executor.start_writing(
      [outcome, work = std::move(work)](service::OperationContext& u) mutable {
        *outcome = work(u);
        return outcome->has_value();
      },
      [outcome, done = std::move(done)](std::exception_ptr const& trouble) mutable {
        if (trouble) *outcome = core::refuse(Code::kBusy, "the store does not answer; try again");
        done(std::move(*outcome));
      });
}

/// Checks whether the store has offered the code. Calls `done` on a thread of the store.
void look_for_code(api::LocalExecutor& executor, std::string hash,
                   std::move_only_function<void(Result<bool>)> done) {
  executor.on_lookup([&executor, hash = std::move(hash), done = std::move(done)]() mutable {
    Result<bool> out = false;
    try {
      executor.read([&](service::OperationContext& ctx) { out = service::is_offered(ctx, hash); });
    } catch (store::StoreError const&) {
      out = core::refuse(Code::kBusy, "the store does not answer; try again");
    }
    done(std::move(out));
  });
}

}  // namespace

/// Looks for the code before it counts the attempt, so that wrong codes never block the holder of the right
/// one. A code has 256 random bits and cannot be guessed; the limit only protects the log and the store.
void RequestHandler::sign_in(AuthenticatedRequest const& authenticated) {
  auto const asked = reflect::read_json<api::SignInRequest>(authenticated.request().body);
  if (!asked) return refuse(*authenticated.session, asked.error());
  auto const hash = hash_of(asked->code);
  auto without_session = authenticated;
  without_session.session.reset();
  look_for_code(backends_.executor, hash,
                [this, mailbox = mailbox_, in_use = in_use_, weak = std::weak_ptr(authenticated.session),
                 authenticated = std::move(without_session), hash](Result<bool> known) mutable {
                  mailbox->post([this, weak, authenticated = std::move(authenticated), hash,
                                 known = std::move(known)]() mutable {
                    authenticated.session = weak.lock();
                    if (!authenticated.session) return;
                    if (!known) return refuse(*authenticated.session, known.error());
                    if (*known) return exchange_code(authenticated, hash);
                    refuse_code(*authenticated.session);
                  });
                });
}

void RequestHandler::refuse_code(Session& session) {
  auto const& from = session.request().peer.address;
  auto const now = os::SteadyClock::now();
  if (quotas_.failed_sign_ins.is_used_up(from, now))
    return refuse(session,
                  Error{Code::kRateLimited, "too many failed attempts; wait a minute", {}, {}, {}}.with(
                      "retry_after", std::int64_t{60}));
  quotas_.failed_sign_ins.count(from, now);
  refuse(session, unauthenticated());
}

void RequestHandler::exchange_code(AuthenticatedRequest const& authenticated, std::string const& code_hash) {
  auto const secret = api::new_secret(kPageSecretPrefix);
  auto const page_session = std::make_shared<api::PageSession>();
  page_session->secret = secret.text;
  start_writing(
      backends_.executor,
      [code_hash, page_session, hash = secret.hash,
       life = options_.limits.session_life](service::OperationContext& ctx) -> Result<void> {
        page_session->expires_at = ctx.now + life;
        return service::sign_in(ctx, code_hash, hash, life);
      },
      [this, mailbox = mailbox_, weak = std::weak_ptr(authenticated.session),
       page_session](Result<void> done) mutable {
        mailbox->post([this, weak, done = std::move(done), page_session] {
          auto const here = weak.lock();
          if (!here) return;
          if (done) return answer(*here, {.body = reflect::to_json(*page_session)});
          refuse(*here, done.error());
        });
      });
}

void RequestHandler::sign_out(AuthenticatedRequest const& authenticated) {
  start_writing(
      backends_.executor,
      [hash = authenticated.credential](service::OperationContext& u) -> Result<void> {
        service::sign_out(u, hash);
        return {};
      },
      [this, mailbox = mailbox_, weak = std::weak_ptr(authenticated.session)](Result<void> done) mutable {
        mailbox->post([this, weak, done = std::move(done)] {
          auto const here = weak.lock();
          if (!here) return;
          if (done) return answer(*here, {.status = 204});
          refuse(*here, done.error());
        });
      });
}

}  // namespace andon::http
