#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command_line/screen.hpp"
#include "core/model/run.hpp"
#include "core/model/task.hpp"
#include "service/insight/search.hpp"
#include "service/tasks/plan.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::cli {

/// `2026-11-21 08:00`, in UTC as it is stored.
std::string minute_of(core::Instant at);
/// `2d 3h`, `1h 5m`.
std::string span_of(core::Duration duration);

/// Tasks as a table, or one line each.
std::string task_list(std::span<core::Task const> tasks, Screen const& screen);

/// The other tasks that a task's page names.
struct Related {
  std::vector<core::Task> parent;  ///< none or one
  std::vector<core::Task> depends_on;
  std::vector<core::Task> children;
  std::optional<core::Run> landing{};  ///< the newest run with something to tell of its landing
  std::optional<service::TaskSpending> spent{};
};
/// Everything about one task.
std::string task_page(core::Task const& task, Related const& related, core::Instant now,
                      Screen const& screen);

std::string plan_page(service::TaskPlan const& plan, Screen const& screen);

std::string search_hits(service::SearchHits const& hits, Screen const& screen);

}  // namespace andon::cli
