#include "api/sign_in_link.hpp"
#include "http/site/request_handler.hpp"
#include "os/processes/clock.hpp"
#include "os/qr_code.hpp"
#include "reflect/json.hpp"
#include "service/access/access.hpp"

// The link by which a signed-in person brings another device of theirs in. A session has the rights of an
// administrator, so only a credential of the administrator may make one.
namespace andon::http {
namespace {

using core::Code;
using core::Error;

Error too_many_links() {
  return Error{Code::kRateLimited, "too many links for devices; wait a minute", {}, {}, {}}.with(
      "retry_after", std::int64_t{60});
}

/// The answer of the operation that stored the code, made into the answer of this route.
core::Result<std::string> phone_link_json(std::string const& url, core::Result<api::Answer> stored) {
  if (!stored) return core::refuse(stored.error());
  ANDON_TRY(auto const code, std::move(*stored).as<service::SignInCode>());
  return reflect::to_json(api::PhoneLink{url, code.expires, os::qr_code(url)});
}

}  // namespace

void RequestHandler::offer_phone_link(AuthenticatedRequest const& authenticated) {
  if (origins_.for_others().empty()) return refuse(*authenticated.session, api::refuse_phone_link().error());
  auto const now = os::SteadyClock::now();
  if (quotas_.phone_links.is_used_up(authenticated.credential, now))
    return refuse(*authenticated.session, too_many_links());
  quotas_.phone_links.count(authenticated.credential, now);
  auto const code = api::new_sign_in_code();
  backends_.executor.start(
      api::call_of<&service::offer_sign_in>({code.hash}, authenticated.principal.caller),
      [this, mailbox = mailbox_, weak = std::weak_ptr(authenticated.session),
       url =
           api::sign_in_link(origins_.for_others().front(), code)](core::Result<api::Answer> stored) mutable {
        mailbox->post([this, weak, answer = phone_link_json(url, std::move(stored))]() mutable {
          auto const session = weak.lock();
          if (!session) return;
          if (!answer) return refuse(*session, answer.error());
          this->answer(*session, {.status = 201, .body = *std::move(answer)});
        });
      });
}

}  // namespace andon::http
