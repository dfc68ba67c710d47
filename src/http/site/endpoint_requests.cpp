#include "http/site/endpoint_requests.hpp"

#include "core/text/ascii.hpp"
#include "http/wire/refusal.hpp"

namespace andon::http {
namespace {

/// Headers by their names in lower case.
std::vector<std::pair<std::string, std::string>> headers_of(Request const& request) {
  std::vector<std::pair<std::string, std::string>> out;
  for (auto const& field : request.fields) {
    std::string_view const name{field.name_string().data(), field.name_string().size()};
    out.emplace_back(core::ascii_lower(name), std::string{field.value().data(), field.value().size()});
  }
  return out;
}

/// The messages of an answer for which no stream may be opened: the last one is the whole answer.
class LastMessage final : public api::MessageStream {
 public:
  LastMessage(std::shared_ptr<Mailbox> mailbox, std::function<void(std::string)> answer)
      : mailbox_(std::move(mailbox)), answer_(std::move(answer)) {}

  void send(std::string, std::string) override {}
  void end(std::string message, std::string) override {
    mailbox_->post(
        [answer = answer_, message = std::move(message)]() mutable { answer(std::move(message)); });
  }

 private:
  std::shared_ptr<Mailbox> mailbox_;
  std::function<void(std::string)> answer_;
};

}  // namespace

void EndpointRequests::tick() {
  if (endpoint_) endpoint_->step(std::exchange(has_news_, false));
}

void EndpointRequests::serve(AuthenticatedRequest const& authenticated,
                             std::function<void(api::Call, api::Reply)> start,
                             std::function<void(Session&, Response)> answer) {
  auto& session = *authenticated.session;
  auto const& request = session.request();
  if (!endpoint_)
    return answer(session, refusal({core::Code::kNotFound, "this server has no such endpoint", {}, {}, {}},
                                   request.id));
  auto const gone = session.watch_for_disconnect();
  api::EndpointRequest asked{
      .method = request.method,
      .headers = headers_of(request),
      .body = request.body,
      .caller = authenticated.principal.caller,
      .credential = authenticated.credential,
      .start =
          [mailbox = mailbox_, start = std::move(start)](api::Call call, api::Reply reply) {
            mailbox->post([start, call = std::move(call), reply = std::move(reply)]() mutable {
              start(std::move(call), std::move(reply));
            });
          },
      .gone = gone,
      .may_stream = streams_.has_room(authenticated.credential)};
  auto deliver = [this, weak = std::weak_ptr(authenticated.session), gone, give = std::move(answer),
                  credential = authenticated.credential](api::EndpointAnswer told) {
    auto const here = weak.lock();
    if (!here) return;
    // Other requests may have opened streams since this one was admitted.
    if (told.streams && streams_.has_room(credential))
      return streams_.open(*here, credential, gone, std::move(told));
    if (told.streams && told.without_stream.empty())
      return told.streams(std::make_shared<LastMessage>(mailbox_, [weak, give](std::string message) {
        if (auto const session_of = weak.lock()) give(*session_of, Response{.body = std::move(message)});
      }));
    if (told.streams) {
      told.streams(nullptr);
      told = {429, std::move(told.without_stream), {{"Retry-After", "5"}}};
    }
    Response response{.status = told.status, .body = std::move(told.body)};
    response.headers = std::move(told.headers);
    give(*here, std::move(response));
  };
  endpoint_->serve(
      std::move(asked), [mailbox = mailbox_, deliver = std::move(deliver)](api::EndpointAnswer told) mutable {
        mailbox->post(
            [deliver = std::move(deliver), told = std::move(told)]() mutable { deliver(std::move(told)); });
      });
}

}  // namespace andon::http
