#include "main/remote_runner/runner_reports.hpp"

#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "os/processes/log.hpp"
#include "os/processes/machine.hpp"
#include "service/runners/runners.hpp"

namespace andon::main {
namespace {

constexpr std::chrono::seconds kReportAnswerTime{5};
constexpr core::Duration kBetweenReports = std::chrono::seconds{10};
constexpr core::Duration kAfterTrouble = std::chrono::seconds{2};

double load_of_last_minute() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : 0;
}

}  // namespace

RunnerReports::RunnerReports(RunnerLink const& link, os::DataDirectory const& data,
                             std::function<std::string()> trouble, std::function<void()> announce)
    : executor_(link, kReportAnswerTime),
      directory_(data.root),
      trouble_(std::move(trouble)),
      announce_(std::move(announce)),
      examiner_(link, data, [this] { report_now(); }),
      thread_([this](std::stop_token const& stop) { run(stop); }) {}

RunnerReports::~RunnerReports() {
  thread_.request_stop();
  executor_.interrupt();
}

RunnerOrder RunnerReports::order() const {
  std::scoped_lock const lock(mutex_);
  return order_;
}

std::string RunnerReports::reason() const {
  std::scoped_lock const lock(mutex_);
  return reason_;
}

void RunnerReports::report_now() {
  std::scoped_lock const lock(mutex_);
  is_due_ = true;
  changed_.notify_all();
}

void RunnerReports::take(RunnerOrder order, std::string reason) {
  {
    std::scoped_lock const lock(mutex_);
    if (order_ == order) return;
    order_ = order;
    reason_ = std::move(reason);
  }
  announce_();
}

void RunnerReports::run(std::stop_token const& stop) {
  while (!stop.stop_requested()) {
    auto rest = kBetweenReports;
    try {
      report();
    } catch (std::exception const& error) {
      os::log(os::Level::warning, std::string{"reporting to the server: "} + error.what());
      rest = kAfterTrouble;
    }
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, rest, [this] { return is_due_; });
    is_due_ = false;
  }
}

void RunnerReports::report() {
  service::ReportRunnerRequest request;
  request.load = load_of_last_minute();
  request.memory_free = os::read_machine(directory_).memory_available;
  auto found = examiner_.found();
  Known const now{found.count, trouble_()};
  if (now.found != known_.found || now.trouble != known_.trouble) {
    if (!now.trouble.empty())
      for (auto& agent : found.agents) agent.problem = now.trouble;
    request.agents = std::move(found.agents);
    request.unusable = std::move(found.unusable);
  }
  runner::OperationClient client(executor_);
  auto const runner = client.call<&service::report_runner>(request);
  if (runner) {
    known_ = now;
    return take(runner->state == core::RunnerState::draining ? RunnerOrder::drain : RunnerOrder::work, {});
  }
  auto const code = runner.error().code;
  if (code == core::Code::kUnauthenticated)
    return take(RunnerOrder::end, "the token of this runner was revoked, or the runner was removed");
  if (code == core::Code::kStaleClaim) return take(RunnerOrder::end, runner.error().message);
  throw std::runtime_error(runner.error().message);
}

}  // namespace andon::main
