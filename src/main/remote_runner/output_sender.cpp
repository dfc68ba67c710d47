#include "main/remote_runner/output_sender.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>

#include "main/agent_views.hpp"
#include "os/processes/log.hpp"

namespace andon::main {
namespace {

constexpr std::chrono::seconds kOutputAnswerTime{10};
constexpr std::chrono::milliseconds kBetweenPasses{1'000};
/// The last lines of a run are written a moment after it left the live ones.
constexpr int kSilentPasses = 5;
constexpr int kPagesAtOnce = 8;

}  // namespace

OutputSender::OutputSender(RunnerLink const& link, runner::Launcher const& launcher,
                           std::function<std::set<core::RunId>()> live)
    : executor_(link, kOutputAnswerTime),
      launcher_(launcher),
      live_(std::move(live)),
      thread_([this](std::stop_token const& stop) { run(stop); }) {}

OutputSender::~OutputSender() {
  thread_.request_stop();
  executor_.interrupt();
}

void OutputSender::run(std::stop_token const& stop) {
  std::mutex mutex;
  std::condition_variable_any rested;
  while (!stop.stop_requested()) {
    try {
      pass(stop);
    } catch (std::exception const& error) {
      os::log(os::Level::error, std::string{"sending output: "} + error.what());
    }
    std::unique_lock lock(mutex);
    rested.wait_for(lock, stop, kBetweenPasses, [] { return false; });
  }
}

void OutputSender::pass(std::stop_token const& stop) {
  auto const live = live_();
  for (auto const run : live) runs_.try_emplace(run);
  for (auto it = runs_.begin(); it != runs_.end() && !stop.stop_requested();) {
    bool const is_live = live.contains(it->first);
    if (!send(it->first, it->second, is_live)) return;
    if (!is_live && it->second.silent_passes >= kSilentPasses)
      it = runs_.erase(it);
    else
      ++it;
  }
}

bool OutputSender::send(core::RunId run, Sent& sent, bool is_live) {
  if (is_live) sent.silent_passes = 0;
  for (int pages = 0; pages < kPagesAtOnce; ++pages) {
    auto page = read_output(launcher_.run_directory(run), sent.place);
    if (page.items.empty()) {
      if (!is_live) ++sent.silent_passes;
      return true;
    }
    api::OutputReport report{std::move(page.items), sent.place, page.next};
    auto const taken = executor_.send_output(run, report);
    if (!taken) {
      auto const code = taken.error().code;
      if (code == core::Code::kBusy) return false;
      // A server whose disk is full gets the lines later; any other refusal means that the run is gone for
      // it.
      bool const may_take_later = core::row(code).retry || code == core::Code::kInternalError;
      if (!may_take_later) sent.silent_passes = kSilentPasses;
      return true;
    }
    sent.place = taken->next;
  }
  return true;
}

}  // namespace andon::main
