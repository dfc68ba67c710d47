#pragma once

#include <memory>
#include <string>

#include "http/access/routes.hpp"
#include "http/wire/session.hpp"
#include "service/access/access.hpp"

namespace andon::http {

/// A request that satisfied the required role of its route.
struct AuthenticatedRequest {
  std::shared_ptr<Session> session;
  Route const* route = nullptr;
  api::TextPairs path;
  service::Principal principal;
  std::string credential;  ///< the hash of its credential; empty on an open route

  Request& request() const { return session->request(); }
};

}  // namespace andon::http
