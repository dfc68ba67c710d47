#pragma once

#include <optional>
#include <string_view>

#include "http/access/authenticated_request.hpp"

namespace andon::http {

// Checks of an incoming request. Each returns its fault, if any.

bool is_known_method(std::string_view method);
core::Error unauthenticated();
/// The error for the token of an ended run: STALE_CLAIM on task routes, otherwise UNAUTHENTICATED.
core::Error ended_run(std::string_view path);
/// The answer for a path without this method, or without any.
Response no_route(Match const& match, std::string const& request_id);
/// Refuses bodies that are not plain JSON. A file may be of any type.
std::optional<core::Error> fault_of_media(Request const& request, bool is_file = false);
/// Applies `Andon-Actor: user:ann` or `worker:developer`. Only the administrator's tokens may choose an
/// actor.
std::optional<core::Error> take_actor(Request const& request, service::Principal& principal);
/// Whether the caller lacks the role that the route requires.
bool lacks_role(AuthenticatedRequest const& authenticated);
/// Reads `Idempotency-Key` and `If-Match` into the call.
std::optional<core::Error> take_conditions(Request const& request, api::Call& call);

}  // namespace andon::http
