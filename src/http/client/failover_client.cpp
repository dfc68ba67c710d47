#include "http/client/failover_client.hpp"

#include <stdexcept>

#include "http/client/http_call.hpp"

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
  explicit FailoverClient(std::vector<std::unique_ptr<api::Transport>> servers)
      : servers_(std::move(servers)) {}

  core::Result<api::HttpAnswer> call(api::HttpCall const& call) override {
    auto const tries = is_repeatable(call) ? servers_.size() : 1;
    for (std::size_t i = 1;; ++i) {
      auto answer = servers_[current_]->call(call);
      bool const is_away = answer ? is_absent(*answer) : answer.error().code == core::Code::kBusy;
      if (!is_away) return answer;
      current_ = (current_ + 1) % servers_.size();
      if (i >= tries) return answer;
    }
  }

  core::Result<void> stream(api::HttpCall const& call,
                            std::move_only_function<bool(std::string_view)> line) override {
    return servers_[current_]->stream(call, std::move(line));
  }

  void interrupt() override {
    for (auto const& server : servers_) server->interrupt();
  }

 private:
  std::vector<std::unique_ptr<api::Transport>> const servers_;
  std::size_t current_ = 0;
};

}  // namespace

std::unique_ptr<api::Transport> client_of_any(std::vector<std::string> const& urls, ClientTimes times,
                                              std::string const& certificates) {
  if (urls.empty()) throw std::invalid_argument("name the address of a server with --server");
  std::vector<std::unique_ptr<api::Transport>> servers;
  for (auto const& url : urls) servers.push_back(client_of(url, times, certificates));
  return std::make_unique<FailoverClient>(std::move(servers));
}

}  // namespace andon::http
