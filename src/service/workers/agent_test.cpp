#include "service/workers/agent_test.hpp"

#include "core/text/names.hpp"
#include "service/given_field.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

core::Result<AgentTestRequest> test_agent(OperationContext&, AgentTestRequest const& request) {
  if (!core::is_name(request.id)) return invalid("\"id\" must be the name of an agent profile", "id");
  return request;
}

}  // namespace andon::service
