#include "service/boards/examined_repository.hpp"

#include "core/model/clone_url.hpp"
#include "service/given_field.hpp"

namespace andon::service {

using core::Result;

std::string in_words(RepositoryFinding const& finding) {
  auto out = finding.what + ": " + finding.effect;
  return finding.remedy.empty() ? out : out + "; " + finding.remedy;
}

Result<ExamineRepositoryRequest> examine_repository(OperationContext&,
                                                    ExamineRepositoryRequest const& request) {
  if (request.repo.empty()) return invalid("\"repo\" must be a path or a clone URL", "repo");
  if (auto const fault = core::fault_of_repo(request.repo); !fault.empty())
    return invalid("invalid \"repo\": " + fault, "repo");
  return request;
}

}  // namespace andon::service
