#include "http/admission.hpp"
#include "http/refusal.hpp"
#include "http/site.hpp"
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

/// Runs a writing function that is no operation of the table.
core::Result<void> written(api::LocalExecutor& executor,
                           std::function<core::Result<void>(service::Unit&)> const& work) {
  core::Result<void> out = core::refuse(Code::kBusy, "the store does not answer; try again");
  try {
    executor.write([&](service::Unit& u) {
      out = work(u);
      return out.has_value();
    });
  } catch (store::StoreError const&) {
    return core::refuse(Code::kBusy, "the store does not answer; try again");
  }
  return out;
}

}  // namespace

void Site::sign_in(Visit const& visit) {
  auto& session = *visit.session;
  auto const& request = session.request();
  auto const now = std::chrono::steady_clock::now();
  if (failed_sign_ins_.is_used_up(request.peer.address, now))
    return refuse(session,
                  Error{Code::kRateLimited, "too many failed attempts; wait a minute", {}, {}, {}}.with(
                      "retry_after", std::int64_t{60}));
  auto const asked = reflect::read_json<SignInRequest>(request.body);
  if (!asked) return refuse(session, asked.error());
  auto const secret = std::string{kSecretPrefix} + os::random_hex(kSecretBytes);
  backends_.executor.on_reader([this, mailbox = mailbox_, weak = std::weak_ptr(visit.session),
                                code = asked->code, secret, &executor = backends_.executor,
                                life = options_.limits.session_life, secure = options_.behind_tls_proxy] {
    auto done = written(executor, [&](service::Unit& u) {
      return service::sign_in(u, hash_of(code), hash_of(secret), life);
    });
    mailbox->post([this, weak, done = std::move(done), text = cookie(secret, life, secure)] {
      auto const here = weak.lock();
      if (!here) return;
      if (done) return answer(*here, {.status = 204, .headers = {{"Set-Cookie", text}}});
      failed_sign_ins_.count(here->request().peer.address, std::chrono::steady_clock::now());
      refuse(*here, done.error());
    });
  });
}

void Site::sign_out(Visit const& visit) {
  backends_.executor.on_reader([this, mailbox = mailbox_, weak = std::weak_ptr(visit.session),
                                hash = visit.credential, &executor = backends_.executor,
                                secure = options_.behind_tls_proxy] {
    auto done = written(executor, [&](service::Unit& u) -> core::Result<void> {
      service::sign_out(u, hash);
      return {};
    });
    mailbox->post([this, weak, done = std::move(done), text = cookie("", core::Duration{0}, secure)] {
      auto const here = weak.lock();
      if (!here) return;
      if (done) return answer(*here, {.status = 204, .headers = {{"Set-Cookie", text}}});
      refuse(*here, done.error());
    });
  });
}

}  // namespace andon::http
