#include "mcp/http_sessions.hpp"

#include <algorithm>

#include "os/random.hpp"

namespace andon::mcp {
namespace {

constexpr std::size_t kIdBytes = 24;
constexpr std::size_t kMostSessions = 4096;
constexpr std::size_t kSessionsOfACredential = 64;
constexpr core::Duration kLife = std::chrono::hours{24};

/// Ends what waits for the client of a session that is over.
void close(HttpSession& session) {
  session.questions.drop(core::Duration::max());
  std::shared_ptr<HttpExchange> listener;
  {
    std::scoped_lock const lock{session.mutex};
    listener = session.listener.lock();
  }
  if (!listener) return;
  listener->cancel();
  listener->finish(200, {});
}

}  // namespace

/// Questions hold their request, which holds its session.
HttpSessions::~HttpSessions() {
  for (auto const& [id, entry] : entries_) close(*entry.session);
}

std::pair<std::string, std::shared_ptr<HttpSession>> HttpSessions::open(std::string const& credential) {
  auto const now = clock_.uptime();
  auto id = os::random_hex(kIdBytes);
  auto session = std::make_shared<HttpSession>();
  session->credential = credential;
  std::vector<std::shared_ptr<HttpSession>> over;
  {
    std::scoped_lock const lock{mutex_};
    std::erase_if(entries_, [&](auto const& entry) {
      bool const is_unused = entry.second.used + kLife < now;
      if (is_unused) over.push_back(entry.second.session);
      return is_unused;
    });
    if (auto const found = oldest(credential); found != entries_.end()) {
      over.push_back(std::move(found->second.session));
      entries_.erase(found);
    }
    entries_[id] = {session, now};
  }
  for (auto const& one : over) close(*one);
  return {std::move(id), std::move(session)};
}

HttpSessions::Entries::iterator HttpSessions::oldest(std::string const& credential) {
  auto const is_own = [&](auto const& entry) { return entry.second.session->credential == credential; };
  auto const own = static_cast<std::size_t>(std::ranges::count_if(entries_, is_own));
  if (own < kSessionsOfACredential && entries_.size() < kMostSessions) return entries_.end();
  auto out = entries_.end();
  for (auto one = entries_.begin(); one != entries_.end(); ++one) {
    if (own >= kSessionsOfACredential && !is_own(*one)) continue;
    if (out == entries_.end() || one->second.used < out->second.used) out = one;
  }
  return out;
}

std::shared_ptr<HttpSession> HttpSessions::find(std::string_view id, std::string const& credential) {
  std::scoped_lock const lock{mutex_};
  auto const found = entries_.find(id);
  if (found == entries_.end() || found->second.session->credential != credential) return nullptr;
  found->second.used = clock_.uptime();
  return found->second.session;
}

bool HttpSessions::end(std::string_view id, std::string const& credential) {
  std::shared_ptr<HttpSession> over;
  {
    std::scoped_lock const lock{mutex_};
    auto const found = entries_.find(id);
    if (found == entries_.end() || found->second.session->credential != credential) return false;
    over = std::move(found->second.session);
    entries_.erase(found);
  }
  close(*over);
  return true;
}

void HttpSessions::step() {
  auto const now = clock_.uptime();
  std::vector<std::shared_ptr<HttpSession>> all;
  {
    std::scoped_lock const lock{mutex_};
    for (auto const& [id, entry] : entries_) all.push_back(entry.session);
  }
  for (auto const& session : all) session->questions.drop(now);
}

}  // namespace andon::mcp
