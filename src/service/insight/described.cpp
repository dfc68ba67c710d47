#include "reflect/described.hpp"

#include "service/insight/attention.hpp"
#include "service/insight/context.hpp"
#include "service/insight/dependency_graph.hpp"
#include "service/insight/forecast.hpp"
#include "service/insight/live.hpp"
#include "service/insight/metrics.hpp"
#include "service/insight/search.hpp"
#include "service/insight/summary.hpp"
#include "service/insight/why.hpp"

namespace andon {

template struct reflect::Described<service::AttentionRequest>;
template struct reflect::Described<service::AttentionTask>;
template struct reflect::Described<service::AttentionEntry>;
template struct reflect::Described<service::AttentionList>;

template struct reflect::Described<service::ContextRequest>;
template struct reflect::Described<service::ContextItem>;
template struct reflect::Described<service::ContextSection>;
template struct reflect::Described<service::ContextSummary>;
template struct reflect::Described<service::BoardContext>;

template struct reflect::Described<service::GraphRequest>;
template struct reflect::Described<service::DependencyGraph>;

template struct reflect::Described<service::ForecastRequest>;
template struct reflect::Described<service::LikelyCount>;
template struct reflect::Described<service::LikelyDate>;
template struct reflect::Described<service::CountForecast>;
template struct reflect::Described<service::DateForecast>;
template struct reflect::Described<service::Forecast>;

template struct reflect::Described<service::SnapshotRequest>;
template struct reflect::Described<service::MoreTasks>;
template struct reflect::Described<service::StoppedLine>;
template struct reflect::Described<service::DispatchLight>;
template struct reflect::Described<service::Snapshot>;
template struct reflect::Described<service::Why>;

template struct reflect::Described<service::MetricsRequest>;
template struct reflect::Described<service::AgingItem>;
template struct reflect::Described<service::Verdicts>;
template struct reflect::Described<service::WorkerFlow>;
template struct reflect::Described<service::ClassFlow>;
template struct reflect::Described<service::Totals>;
template struct reflect::Described<service::FlowMetrics>;

template struct reflect::Described<service::SearchRequest>;
template struct reflect::Described<service::SearchHit>;
template struct reflect::Described<service::SearchHits>;

template struct reflect::Described<service::SummaryRequest>;
template struct reflect::Described<service::ColumnSummary>;
template struct reflect::Described<service::PriorityCount>;
template struct reflect::Described<service::ClassCount>;
template struct reflect::Described<service::Swimlane>;
template struct reflect::Described<service::BoardSummary>;

template struct reflect::Described<service::DispatchBlocker>;
template struct reflect::Described<service::DispatchBlockers>;
template struct reflect::Described<service::WhyTasksRequest>;
template struct reflect::Described<service::DispatchBlockersOfTasks>;

}  // namespace andon
