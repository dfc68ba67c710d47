#include "mcp/protocol/session.hpp"

namespace andon::mcp {

void Session::begin(json::object capabilities) {
  std::scoped_lock const lock{mutex_};
  has_begun_ = true;
  capabilities_ = std::move(capabilities);
}

bool Session::has_begun() const {
  std::scoped_lock const lock{mutex_};
  return has_begun_;
}

json::object Session::capabilities() const {
  std::scoped_lock const lock{mutex_};
  return capabilities_;
}

bool Session::watch(std::string uri) {
  std::scoped_lock const lock{mutex_};
  if (watched_.size() >= kMostWatched && !watched_.contains(uri)) return false;
  watched_.insert(std::move(uri));
  return true;
}

void Session::unwatch(std::string_view uri) {
  std::scoped_lock const lock{mutex_};
  if (auto const found = watched_.find(uri); found != watched_.end()) watched_.erase(found);
}

std::set<std::string, std::less<>> Session::watched() const {
  std::scoped_lock const lock{mutex_};
  return watched_;
}

}  // namespace andon::mcp
