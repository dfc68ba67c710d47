#include "http/gateway/forwarder.hpp"

#include <exception>

#include "os/processes/log.hpp"

namespace andon::http {
namespace {

constexpr std::size_t kMostWaiting = 1'000;

}  // namespace

Forwarder::Forwarder(Connect const& connect, std::size_t threads) {
  for (std::size_t i = 0; i < threads; ++i) transports_.push_back(connect());
  for (auto& transport : transports_) threads_.emplace_back([this, &transport] { serve(*transport); });
}

Forwarder::~Forwarder() {
  {
    std::scoped_lock const lock(mutex_);
    is_closing_ = true;
    jobs_.clear();
  }
  for (auto const& transport : transports_) transport->interrupt();
  arrived_.notify_all();
}

bool Forwarder::start(Job job) {
  {
    std::scoped_lock const lock(mutex_);
    if (jobs_.size() >= kMostWaiting) return false;
    jobs_.push_back(std::move(job));
  }
  arrived_.notify_one();
  return true;
}

void Forwarder::serve(api::Transport& transport) {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      arrived_.wait(lock, [this] { return is_closing_ || !jobs_.empty(); });
      if (is_closing_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    try {
      job(transport);
    } catch (std::exception const& error) {
      os::log(os::Level::error, std::string{"forwarding a request: "} + error.what());
    }
  }
}

}  // namespace andon::http
