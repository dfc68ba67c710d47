#include "http/client/secure_client.hpp"

#include <stdexcept>
#include <thread>

#include "http/client/http_call.hpp"
#include "os/network/http_client.hpp"
#include "os/processes/clock.hpp"

namespace andon::http {
namespace {

using core::Code;
using core::Result;
using os::NoAnswer;

constexpr std::size_t kMostAnswerBytes = 64U << 20U;
constexpr std::string_view kTlsScheme = "https://";

class SecureClient final : public api::Transport {
 public:
  SecureClient(std::string origin, ClientTimes times, std::string certificates)
      : origin_(std::move(origin)), times_(times), certificates_(std::move(certificates)) {}

  Result<api::HttpAnswer> call(api::HttpCall const& call) override {
    ANDON_TRY(auto const request, request_of(call));
    auto const until = os::SteadyClock::now() + times_.absence;
    for (;;) {
      auto answer = client_.send(request);
      if (answer) return api::HttpAnswer{answer->status, std::move(answer->headers), std::move(answer->body)};
      auto const why = answer.error().why;
      bool const may_try = why == NoAnswer::unreachable || (why == NoAnswer::broken && request.may_repeat);
      if (!may_try || os::SteadyClock::now() >= until) return refused(call, answer.error());
      std::this_thread::sleep_for(times_.between);
    }
  }

  Result<void> stream(api::HttpCall const&, std::move_only_function<bool(std::string_view)>) override {
    return core::refuse(Code::kInvalidInput,
                        "a stream is not read over https; forward a port of this machine, as with ssh -L, "
                        "and name http://127.0.0.1:PORT",
                        "server");
  }

  void interrupt() override { client_.stop(); }

 private:
  Result<os::OutgoingRequest> request_of(api::HttpCall const& call) const {
    os::OutgoingRequest out;
    out.method = call.method;
    out.url = origin_ + call.target;
    if (breaks_a_line(call.method + call.target) || call.target.find(' ') != std::string::npos)
      return core::refuse(Code::kInvalidInput, "the address holds characters it may not");
    for (auto const& [name, value] : call.headers) {
      if (breaks_a_line(name) || breaks_a_line(value))
        return core::refuse(Code::kInvalidInput, "the header " + name + " holds characters it may not");
      out.headers.push_back(name + ": " + value);
    }
    out.body = call.body;
    out.time_limit = times_.answer;
    out.connect_limit = times_.connect;
    out.most_bytes = kMostAnswerBytes;
    out.may_repeat = is_repeatable(call);
    out.certificates = certificates_;
    return out;
  }

  std::unexpected<core::Error> refused(api::HttpCall const& call, os::NoAnswerReason const& reason) const {
    if (reason.why == NoAnswer::broken && !is_read(call))
      return core::refuse(Code::kBusy, "the server at " + origin_ + " gave no answer (" + reason.message +
                                           "); it is unknown whether the change was made: look again");
    auto const code = reason.why == NoAnswer::unavailable ? Code::kInternalError : Code::kBusy;
    return core::refuse(code, "the server at " + origin_ + " cannot be reached (" + reason.message +
                                  "); check the address, its certificate and the proxy before it");
  }

  std::string const origin_;
  ClientTimes const times_;
  std::string const certificates_;
  os::HttpClient client_;
};

}  // namespace

std::unique_ptr<api::Transport> secure_client_of(std::string_view url, ClientTimes times,
                                                 std::string certificates) {
  auto rest = url;
  if (rest.starts_with(kTlsScheme)) rest.remove_prefix(kTlsScheme.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  bool const is_plain = rest.find_first_of("/?#@ \r\n") == std::string_view::npos && !rest.empty();
  if (!url.starts_with(kTlsScheme) || !is_plain)
    throw std::invalid_argument("\"" + std::string{url} +
                                "\" is no address of a server; write it as https://HOST or "
                                "https://HOST:PORT");
  return std::make_unique<SecureClient>(std::string{kTlsScheme}.append(rest), times, std::move(certificates));
}

}  // namespace andon::http
