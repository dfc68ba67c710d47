#include "service/boards/repositories.hpp"

#include "core/text/names.hpp"
#include "service/given_field.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

constexpr std::size_t kLongestDirectory = 4096;

core::Result<RepositoriesRequest> list_repositories(OperationContext&, RepositoriesRequest const& request) {
  if (core::is_unsafe_line(request.path) || request.path.size() > kLongestDirectory)
    return invalid("\"path\" must be the path of a directory", "path");
  return request;
}

}  // namespace andon::service
