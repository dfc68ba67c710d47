#include "service/runners/run_documents.hpp"

#include "core/model/task.hpp"

namespace andon::service {

core::Result<DocumentsQuestion> run_documents(OperationContext& ctx, RunRequest const& r) {
  ANDON_TRY(auto const run, own_run(ctx, r.id));
  ANDON_TRY(auto const task, find_task(ctx, run.task));
  ANDON_TRY(auto worker, find_worker(ctx, run.worker));
  return DocumentsQuestion{std::move(worker), task.tags};
}

}  // namespace andon::service
