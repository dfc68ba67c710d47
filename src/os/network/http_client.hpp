#pragma once

#include <atomic>
#include <chrono>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace andon::os {

/// A request to another server.
struct OutgoingRequest {
  std::string method = "GET";
  std::string url;
  std::vector<std::string> headers{};  ///< `Name: value`
  std::string body{};
  std::chrono::milliseconds time_limit{30'000};  ///< for the whole exchange
  std::size_t most_bytes = 1U << 20U;            ///< of the answer's body
  std::chrono::milliseconds connect_limit{10'000};
  bool may_repeat = false;  ///< arriving twice has the effect of once; then a POST may use a kept connection
  std::string certificates{};  ///< file with the certificates to trust; those of the system when empty
};

struct IncomingAnswer {
  int status = 0;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers{};  ///< names in lower case
};

/// Why there is no answer.
enum class NoAnswer {
  unreachable,  ///< the name, the connection or the certificate failed: the request did not arrive
  broken,       ///< no whole answer came: the request may have arrived
  too_large,    ///< the answer is larger than it may be
  stopped,      ///< `stop` was called
  unavailable,  ///< this machine has no library for it
};

struct NoAnswerReason {
  NoAnswer why;
  std::string message;      ///< without the URL, which may hold a secret
  std::string beginning{};  ///< of an answer that is too large: its first bytes
};

/// Sends requests by libcurl, which is loaded at the first one. It follows no redirect, checks certificates,
/// and takes proxies from the environment (`https_proxy`, `no_proxy`). A POST that may not be repeated gets a
/// connection of its own.
/// One thread sends; any thread may stop.
class HttpClient {
 public:
  HttpClient() = default;
  ~HttpClient();
  HttpClient(HttpClient const&) = delete;
  HttpClient& operator=(HttpClient const&) = delete;

  std::expected<IncomingAnswer, NoAnswerReason> send(OutgoingRequest const& request);
  /// Ends the request that is under way, within a second, and all later ones at once.
  void stop() { is_stopped_ = true; }

 private:
  void* handle_ = nullptr;  ///< keeps the connection open between requests without effect
  std::atomic<bool> is_stopped_ = false;
};

}  // namespace andon::os
