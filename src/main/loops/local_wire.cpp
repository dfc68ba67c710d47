#include "main/loops/local_wire.hpp"

#include "runner/dispatch/upkeep.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/sweep.hpp"
#include "service/tasks/kernel/start_work.hpp"

namespace andon::main {
namespace {

constexpr core::Duration kWaitForWork =
    std::chrono::minutes{1};  ///< then the request for an idle worker is renewed

}  // namespace

LocalWire::LocalWire(api::LocalExecutor& executor, os::DataDirectory const& data)
    : executor_(executor), client_(executor, executor.server()), signal_(commit_signal_of(executor)) {
  executor_.write([&data](service::OperationContext& u) {
    service::number_runs_after(u, runner::highest_run_directory(data.runs()));
    service::set_runner(u, true);
    return true;
  });
  static_cast<void>(client_.call<&service::extend_leases>());
}

LocalWire::~LocalWire() {
  *is_gone_ = true;
  executor_.write([](service::OperationContext& u) {
    service::set_runner(u, false);
    return true;
  });
}

void LocalWire::wait_for_work(std::string const& worker, std::function<void()> woken) {
  auto call = api::call_of<&service::dispatch_next>(service::DispatchRequest{worker}, client_.caller());
  call.patience = kWaitForWork;
  call.abandoned = is_gone_;
  executor_.start(std::move(call), [woken = std::move(woken)](core::Result<api::Answer> const&) { woken(); });
}

void LocalWire::note_wake_up() { static_cast<void>(client_.call<&service::extend_leases>()); }

}  // namespace andon::main
