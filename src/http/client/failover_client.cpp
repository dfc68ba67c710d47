#include "http/client/failover_client.hpp"

#include <stdexcept>
#include <thread>

#include "http/client/http_call.hpp"
#include "os/processes/clock.hpp"

namespace andon::http {
namespace {

/// Statuses by which a proxy says that its server does not answer.
bool is_absent(api::HttpAnswer const& answer) {
  constexpr int kBadGateway = 502;
  constexpr int kUnavailable = 503;
  constexpr int kGatewayTimeout = 504;
  return answer.status == kBadGateway || answer.status == kUnavailable || answer.status == kGatewayTimeout;
}

class FailoverClient final : public api::Transport {
 public:
  FailoverClient(std::vector<std::unique_ptr<api::Transport>> servers, ServerChoice& choice,
                 ClientTimes times)
      : servers_(std::move(servers)), choice_(choice), times_(times) {}

  core::Result<api::HttpAnswer> call(api::HttpCall const& call) override {
    auto const until = os::SteadyClock::now() + times_.absence;
    for (std::size_t tries = 1;; ++tries) {
      auto chosen = choice_.load();
      auto answer = servers_[chosen]->call(call);
      bool const is_away = answer ? is_absent(*answer) : answer.error().code == core::Code::kBusy;
      if (!is_away) return answer;
      // Unless another client has already chosen the next one.
      choice_.compare_exchange_strong(chosen, (chosen + 1) % servers_.size());
      bool const is_last = tries >= servers_.size() && os::SteadyClock::now() >= until;
      if (is_last || is_interrupted_ || !is_repeatable(call)) return answer;
      if (tries % servers_.size() == 0) std::this_thread::sleep_for(times_.between);
    }
  }

  core::Result<void> stream(api::HttpCall const& call,
                            std::move_only_function<bool(std::string_view)> line) override {
    return servers_[choice_]->stream(call, std::move(line));
  }

  void interrupt() override {
    is_interrupted_ = true;
    for (auto const& server : servers_) server->interrupt();
  }

 private:
  std::vector<std::unique_ptr<api::Transport>> const servers_;
  ServerChoice& choice_;
  ClientTimes const times_;
  std::atomic<bool> is_interrupted_ = false;
};

}  // namespace

std::unique_ptr<api::Transport> client_of_any(std::vector<std::string> const& urls, ServerChoice& choice,
                                              ClientTimes times, std::string const& certificates) {
  if (urls.empty()) throw std::invalid_argument("name the address of a server with --server");
  std::vector<std::unique_ptr<api::Transport>> servers;
  auto once = times;
  once.absence = {};
  for (auto const& url : urls) servers.push_back(client_of(url, once, certificates));
  return std::make_unique<FailoverClient>(std::move(servers), choice, times);
}

}  // namespace andon::http
