#include "reflect/described.hpp"

#include "service/runners/run_documents.hpp"
#include "service/runners/runners.hpp"

namespace andon {

template struct reflect::Described<service::DocumentOfMemory>;
template struct reflect::Described<service::RunDocuments>;
template struct reflect::Described<service::DocumentsQuestion>;

template struct reflect::Described<service::RunnerView>;
template struct reflect::Described<service::Runners>;
template struct reflect::Described<service::AddRunnerRequest>;
template struct reflect::Described<service::RunnerRequest>;
template struct reflect::Described<service::RegisterRunnerRequest>;
template struct reflect::Described<service::ReportRunnerRequest>;

}  // namespace andon
