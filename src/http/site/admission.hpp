#pragma once

#include <optional>
#include <string_view>

#include "http/access/authenticated_request.hpp"

namespace andon::http {

// The single checks on a request's way in. Each says what is wrong, if anything.

bool is_known_method(std::string_view method);
core::Error unauthenticated();
/// What a token of an ended run hears: on the board it lost its claim, elsewhere it is nobody.
core::Error ended_run(std::string_view path);
/// For a path that exists with other methods, or not at all.
Response no_route(Match const& match, std::string const& request_id);
/// Bodies are JSON, as they are.
std::optional<core::Error> fault_of_media(Request const& request);
/// Lets the administrator's tokens act under a name of their choice: `Andon-Actor: user:ann` or
/// `worker:developer`.
std::optional<core::Error> take_actor(Request const& request, service::Principal& principal);
/// Whether the caller's rights end before the door.
bool lacks_role(AuthenticatedRequest const& visit);
/// `Idempotency-Key` and `If-Match`.
std::optional<core::Error> take_conditions(Request const& request, api::Call& call);

}  // namespace andon::http
