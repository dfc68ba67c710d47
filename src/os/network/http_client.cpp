#include "os/network/http_client.hpp"

#include <array>
#include <curl/curl.h>
#include <dlfcn.h>
#include <memory>

namespace andon::os {
namespace {

/// The functions of libcurl that are used. Without the library, all are null.
struct Curl {
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_perform) easy_perform = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_reset) easy_reset = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
  bool is_there = false;

  Curl() {
    void* library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    decltype(&curl_global_init) global_init = nullptr;
    is_there =
        load(library, "curl_global_init", global_init) && load(library, "curl_easy_init", easy_init) &&
        load(library, "curl_easy_setopt", easy_setopt) && load(library, "curl_easy_perform", easy_perform) &&
        load(library, "curl_easy_getinfo", easy_getinfo) && load(library, "curl_easy_reset", easy_reset) &&
        load(library, "curl_easy_cleanup", easy_cleanup) &&
        load(library, "curl_easy_strerror", easy_strerror) &&
        load(library, "curl_slist_append", slist_append) &&
        load(library, "curl_slist_free_all", slist_free_all) && global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  }

 private:
  template <class Function>
  static bool load(void* library, char const* name, Function& into) {
    into = reinterpret_cast<Function>(::dlsym(library, name));
    return into != nullptr;
  }
};

Curl const& curl() {
  static Curl const loaded;
  return loaded;
}

constexpr std::size_t kLongestBeginning = 256;

constexpr std::size_t kMostHeaders = 100;

struct Received {
  std::string body;
  std::size_t most = 0;
  bool is_too_large = false;
  std::vector<std::pair<std::string, std::string>> headers{};
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  auto const from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlank) + 1 - from);
}

/// A status line begins the headers anew, for example after one of a proxy.
std::size_t take_header(char* bytes, std::size_t, std::size_t count, void* to) {
  auto& headers = static_cast<Received*>(to)->headers;
  std::string_view const line{bytes, count};
  if (line.starts_with("HTTP/")) headers.clear();
  auto const colon = line.find(':');
  if (colon == std::string_view::npos || headers.size() >= kMostHeaders) return count;
  std::string name{trimmed(line.substr(0, colon))};
  for (auto& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  headers.emplace_back(std::move(name), std::string{trimmed(line.substr(colon + 1))});
  return count;
}

std::size_t take_body(char* bytes, std::size_t, std::size_t count, void* to) {
  auto& received = *static_cast<Received*>(to);
  if (received.body.size() + count > received.most) {
    received.body.append(bytes, received.most - received.body.size());
    received.is_too_large = true;
    return 0;
  }
  received.body.append(bytes, count);
  return count;
}

int is_stopped(void* flag, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return *static_cast<std::atomic<bool> const*>(flag) ? 1 : 0;
}

/// Failures before the request was sent.
bool is_before_sending(CURLcode code) {
  constexpr std::array kBefore{
      CURLE_UNSUPPORTED_PROTOCOL,     CURLE_URL_MALFORMAT,        CURLE_COULDNT_RESOLVE_PROXY,
      CURLE_COULDNT_RESOLVE_HOST,     CURLE_COULDNT_CONNECT,      CURLE_SSL_CONNECT_ERROR,
      CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,   CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_ISSUER_ERROR,         CURLE_SSL_INVALIDCERTSTATUS};
  for (auto const one : kBefore)
    if (one == code) return true;
  return false;
}

/// The library ends a wait for a connection and a wait for an answer by one code. Only the second one comes
/// after the request has begun to leave.
bool has_begun(CURL* handle) {
  curl_off_t begun = 0;
  curl().easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &begun);
  return begun > 0;
}

NoAnswer reason_of(CURLcode code, CURL* handle) {
  bool const is_early = is_before_sending(code) || (code == CURLE_OPERATION_TIMEDOUT && !has_begun(handle));
  return is_early ? NoAnswer::unreachable : NoAnswer::broken;
}

}  // namespace

HttpClient::~HttpClient() {
  auto* const cleanup = curl().easy_cleanup;
  if (handle_ && cleanup) cleanup(handle_);
}

std::expected<IncomingAnswer, NoAnswerReason> HttpClient::send(OutgoingRequest const& request) {
  auto const& c = curl();
  auto const none = [](NoAnswer why, std::string message) {
    return std::unexpected(NoAnswerReason{why, std::move(message)});
  };
  if (!c.is_there) return none(NoAnswer::unavailable, "libcurl is missing; install the package libcurl4");
  if (is_stopped_) return none(NoAnswer::stopped, "stopped");
  if (!handle_) handle_ = c.easy_init();
  if (!handle_) return none(NoAnswer::unavailable, "libcurl does not start");
  auto* const handle = static_cast<CURL*>(handle_);
  c.easy_reset(handle);
  curl_slist* list = nullptr;
  // Without this header curl asks before it sends a longer body, which not every server answers.
  list = c.slist_append(list, "Expect:");
  for (auto const& header : request.headers) list = c.slist_append(list, header.c_str());
  std::unique_ptr<curl_slist, decltype(c.slist_free_all)> const headers{list, c.slist_free_all};
  Received received{.body = {}, .most = request.most_bytes};
  c.easy_setopt(handle, CURLOPT_URL, request.url.c_str());
  c.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  c.easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  c.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  c.easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
  c.easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_limit.count()));
  if (!request.certificates.empty()) c.easy_setopt(handle, CURLOPT_CAINFO, request.certificates.c_str());
  c.easy_setopt(handle, CURLOPT_HEADERFUNCTION, &take_header);
  c.easy_setopt(handle, CURLOPT_HEADERDATA, &received);
  c.easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(request.time_limit.count()));
  c.easy_setopt(handle, CURLOPT_WRITEFUNCTION, &take_body);
  c.easy_setopt(handle, CURLOPT_WRITEDATA, &received);
  c.easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  c.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, &is_stopped);
  c.easy_setopt(handle, CURLOPT_XFERINFODATA, &is_stopped_);
  if (request.method == "POST") {
    c.easy_setopt(handle, CURLOPT_POST, 1L);
    // When a kept connection breaks, curl silently sends the request once more. A POST must not arrive twice.
    if (!request.may_repeat) {
      c.easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
      c.easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L);
    }
  } else {
    c.easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  if (request.method == "HEAD") c.easy_setopt(handle, CURLOPT_NOBODY, 1L);
  if (request.method == "POST" || !request.body.empty()) {
    c.easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.data());
    c.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  }
  auto const code = c.easy_perform(handle);
  if (received.is_too_large)
    return std::unexpected(NoAnswerReason{NoAnswer::too_large, "the answer is too large",
                                          received.body.substr(0, kLongestBeginning)});
  if (code == CURLE_ABORTED_BY_CALLBACK) return none(NoAnswer::stopped, "stopped");
  if (code != CURLE_OK) return none(reason_of(code, handle), c.easy_strerror(code));
  long status = 0;
  c.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return IncomingAnswer{static_cast<int>(status), std::move(received.body), std::move(received.headers)};
}

}  // namespace andon::os
