#include "reflect/described.hpp"

#include "service/runs/dispatch.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/landing_verdict.hpp"
#include "service/runs/open_work.hpp"
#include "service/runs/revert.hpp"
#include "service/runs/run_brief.hpp"
#include "service/runs/run_guard.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/run_result.hpp"
#include "service/runs/runs.hpp"
#include "service/runs/sweep.hpp"
#include "service/runs/work.hpp"

namespace andon {

template struct reflect::Described<service::DispatchState>;
template struct reflect::Described<service::DispatchStatus>;
template struct reflect::Described<service::ServerAgents>;
template struct reflect::Described<service::DispatchRequest>;

template struct reflect::Described<service::LandingPlace>;
template struct reflect::Described<service::LandingQueue>;
template struct reflect::Described<service::PlanLandingRequest>;
template struct reflect::Described<service::LandedRequest>;
template struct reflect::Described<service::NotLandedRequest>;

template struct reflect::Described<service::AskLandingRequest>;
template struct reflect::Described<service::JudgeLandingRequest>;

template struct reflect::Described<service::TreeQuestion>;
template struct reflect::Described<service::Preview>;
template struct reflect::Described<service::OpenedWork>;
template struct reflect::Described<service::PreviewRequest>;
template struct reflect::Described<service::PreviewQuestion>;

template struct reflect::Described<service::RevertRequest>;
template struct reflect::Described<service::LandedWorkRequest>;
template struct reflect::Described<service::LandedWork>;
template struct reflect::Described<service::LandedWorks>;

template struct reflect::Described<service::EarlierConversation>;
template struct reflect::Described<service::RunBrief>;
template struct reflect::Described<service::PromptRequest>;
template struct reflect::Described<service::Prompt>;

template struct reflect::Described<service::RunLease>;
template struct reflect::Described<service::RunLeases>;
template struct reflect::Described<service::WorkPlaceRequest>;

template struct reflect::Described<service::BeginRunRequest>;
template struct reflect::Described<service::AdoptRunRequest>;
template struct reflect::Described<service::UsageRequest>;

template struct reflect::Described<service::FinishRunRequest>;

template struct reflect::Described<service::RunRequest>;
template struct reflect::Described<service::Runs>;
template struct reflect::Described<service::ListRunsRequest>;

template struct reflect::Described<service::SweepResult>;

template struct reflect::Described<service::DiffQuestion>;
template struct reflect::Described<service::TaskDiffRequest>;
template struct reflect::Described<service::ChangedFile>;
template struct reflect::Described<service::RunDiff>;
template struct reflect::Described<service::WorkListRequest>;
template struct reflect::Described<service::WorkQuestion>;
template struct reflect::Described<service::WorkLimit>;
template struct reflect::Described<service::KeptBranch>;
template struct reflect::Described<service::WorkTree>;
template struct reflect::Described<service::QueuedWork>;
template struct reflect::Described<service::WorkList>;
template struct reflect::Described<service::CleanWorkRequest>;
template struct reflect::Described<service::CleanQuestion>;
template struct reflect::Described<service::WorkCleaned>;
template struct reflect::Described<service::WorkFactsRequest>;
template struct reflect::Described<service::WorkFact>;
template struct reflect::Described<service::WorkFacts>;

}  // namespace andon
