#include "http/site/admission.hpp"
#include "http/site/request_handler.hpp"
#include "http/wire/refusal.hpp"
#include "os/processes/clock.hpp"
#include "os/random.hpp"

// Signing in with a one-time code, and out again.
namespace andon::http {
namespace {

using core::Code;
using core::Error;

struct SignInRequest {
  std::string code;
};
BOOST_DESCRIBE_STRUCT(SignInRequest, (), (code))
inline constexpr std::array kSignInFields{
    core::Field{"code", "The one-time code of the link", core::required}};
constexpr auto const& fields(SignInRequest const*) { return kSignInFields; }

constexpr std::size_t kSecretBytes = 32;
constexpr std::string_view kSecretPrefix = "andon_s_";

std::string cookie(std::string_view secret, core::Duration life, bool secure) {
  auto const seconds = std::chrono::duration_cast<std::chrono::seconds>(life).count();
  return std::string{kSessionCookie} + "=" + std::string{secret} +
         "; HttpOnly; SameSite=Strict; Path=/; Max-Age=" + std::to_string(seconds) +
         (secure ? "; Secure" : "");
}

using Written = std::move_only_function<void(core::Result<void>)>;

/// Runs a writing function that is no operation of the table; `done` is called on a thread of the store.
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

}  // namespace

void RequestHandler::sign_in(AuthenticatedRequest const& visit) {
  auto& session = *visit.session;
  auto const& request = session.request();
  auto const now = os::SteadyClock::now();
  if (failed_sign_ins_.is_used_up(request.peer.address, now))
    return refuse(session,
                  Error{Code::kRateLimited, "too many failed attempts; wait a minute", {}, {}, {}}.with(
                      "retry_after", std::int64_t{60}));
  auto const asked = reflect::read_json<SignInRequest>(request.body);
  if (!asked) return refuse(session, asked.error());
  auto const secret = std::string{kSecretPrefix} + os::random_hex(kSecretBytes);
  auto const life = options_.limits.session_life;
  start_writing(
      backends_.executor,
      [code = asked->code, secret, life](service::OperationContext& u) {
        return service::sign_in(u, hash_of(code), hash_of(secret), life);
      },
      [this, mailbox = mailbox_, weak = std::weak_ptr(visit.session),
       text = cookie(secret, life, options_.behind_tls_proxy)](core::Result<void> done) mutable {
        mailbox->post([this, weak, done = std::move(done), text = std::move(text)] {
          auto const here = weak.lock();
          if (!here) return;
          if (done) return answer(*here, {.status = 204, .headers = {{"Set-Cookie", text}}});
          failed_sign_ins_.count(here->request().peer.address, os::SteadyClock::now());
          refuse(*here, done.error());
        });
      });
}

void RequestHandler::sign_out(AuthenticatedRequest const& visit) {
  start_writing(
      backends_.executor,
      [hash = visit.credential](service::OperationContext& u) -> core::Result<void> {
        service::sign_out(u, hash);
        return {};
      },
      [this, mailbox = mailbox_, weak = std::weak_ptr(visit.session),
       text = cookie("", core::Duration{0}, options_.behind_tls_proxy)](core::Result<void> done) mutable {
        mailbox->post([this, weak, done = std::move(done), text = std::move(text)] {
          auto const here = weak.lock();
          if (!here) return;
          if (done) return answer(*here, {.status = 204, .headers = {{"Set-Cookie", text}}});
          refuse(*here, done.error());
        });
      });
}

}  // namespace andon::http
