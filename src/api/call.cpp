#include "api/call.hpp"

namespace andon::api {

core::Result<Object> decode(Operation const& operation, boost::json::value const& json) {
  auto request = operation.make();
  ANDON_CHECK(reflect::from_json(*operation.request, request.get(), json));
  return request;
}

}  // namespace andon::api
