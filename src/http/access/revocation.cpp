#include "http/access/revocation.hpp"

#include <algorithm>

namespace andon::http {
namespace {

constexpr core::Duration kLookedAtEvery{2'000};

}  // namespace

void Revocation::watch(std::shared_ptr<Stream> const& stream, std::string credential) {
  watched_.push_back(
      {stream, std::move(credential), executor_.credentials(), executor_.clock().uptime() + kLookedAtEvery});
}

void Revocation::tick() {
  std::erase_if(watched_, [](Watched const& one) {
    auto const stream = one.stream.lock();
    return !stream || !stream->is_open();
  });
  auto const now = executor_.clock().uptime();
  for (auto& one : watched_) {
    if (one.generation == executor_.credentials() && now < one.next_look) continue;
    one.generation = executor_.credentials();
    one.next_look = now + kLookedAtEvery;
    credentials_.look_up(one.credential, [weak = one.stream](core::Result<service::Principal> found) {
      bool const holds = found ? !found->ended : found.error().code == core::Code::kBusy;
      if (auto const stream = weak.lock(); stream && !holds) stream->end(sse_frame("bye", "{}"));
    });
  }
}

}  // namespace andon::http
