#include "runner/supervision/remote_link.hpp"

#include <thread>
#include <utility>

#include "reflect/json.hpp"
#include "runner/supervision/finish_request.hpp"
#include "service/tasks/claim.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kBetweenSigns =
    std::chrono::seconds{10};  ///< each progress report costs the server a write

constexpr core::Duration kBetweenTries = std::chrono::milliseconds{500};

bool is_good(api::HttpAnswer const& answer) { return answer.status >= 200 && answer.status < 300; }

/// Whether an answer ends the claim. Every other failure may be temporary.
bool is_over(api::HttpAnswer const& answer) {
  return answer.status == 401 || answer.status == 403 || answer.status == 404 || answer.status == 409;
}

}  // namespace

RemoteLink::RemoteLink(RunSpec const& spec, api::Transport& transport, os::Clock const& clock)
    : spec_(spec), transport_(transport), clock_(clock) {}

core::Result<api::HttpAnswer> RemoteLink::post(std::string target, std::string body) {
  api::HttpCall call;
  call.method = "POST";
  call.target = "/api/v1" + std::move(target);
  call.headers = {{"Authorization", "Bearer " + spec_.token}, {"Content-Type", "application/json"}};
  call.body = std::move(body);
  return transport_.call(call);
}

std::optional<core::Duration> RemoteLink::renewed() const {
  auto const at = renewed_.load();
  return at == kNever ? std::nullopt : std::optional{at};
}

HeartbeatAnswer RemoteLink::heartbeat() {
  auto const begun = clock_.uptime();
  auto const answer = ask();
  bool const is_held = answer == HeartbeatAnswer::held || answer == HeartbeatAnswer::advanced ||
                       answer == HeartbeatAnswer::reported;
  if (is_held) renewed_ = begun;
  return answer;
}

HeartbeatAnswer RemoteLink::ask() {
  auto const answer = post("/tasks/" + std::to_string(spec_.task) + "/heartbeat",
                           R"({"epoch":)" + std::to_string(spec_.epoch) + "}");
  if (!answer) return HeartbeatAnswer::unreachable;
  if (is_over(*answer)) return HeartbeatAnswer::stale;
  if (!is_good(*answer)) return HeartbeatAnswer::unreachable;
  auto const heartbeat = reflect::read_json<service::Heartbeat>(answer->body, reflect::Unknown::ignore);
  if (!heartbeat) return HeartbeatAnswer::held;
  if (heartbeat->cancelled) return HeartbeatAnswer::cancelled;
  if (heartbeat->reported) return HeartbeatAnswer::reported;
  auto const before = std::exchange(progress_, heartbeat->progress);
  return before && progress_ && *progress_ > *before ? HeartbeatAnswer::advanced : HeartbeatAnswer::held;
}

/// Sends new usage at once, since it may reach a budget. Reports that only prove progress are sent less
/// often.
void RemoteLink::progress(ProgressReport const& report) {
  auto const now = clock_.uptime();
  auto body = report.usage ? "{\"usage\":" + reflect::to_json(*report.usage) + "}" : std::string{"{}"};
  if (reported_at_ && now - *reported_at_ < kBetweenSigns && body == reported_) return;
  auto const answer = post("/runs/" + std::to_string(spec_.run) + "/usage", body);
  // A lost report needs no repetition, because the next one replaces it.
  if (!answer || !is_good(*answer)) return;
  reported_at_ = now;
  reported_ = std::move(body);
}

/// Repeats the request for half a lease, in case the server is restarting.
bool RemoteLink::keep_place(core::WorkPlace const& place) {
  auto const body = "{\"place\":" + reflect::to_json(place) + "}";
  auto const deadline = clock_.uptime() + spec_.limits.lease / 2;
  for (;;) {
    auto const answer = post("/runs/" + std::to_string(spec_.run) + "/place", body);
    if (answer && is_good(*answer)) return true;
    if (answer && is_over(*answer)) return false;
    if (clock_.uptime() + kBetweenTries >= deadline) return false;
    std::this_thread::sleep_for(kBetweenTries);
  }
}

FinishAnswer RemoteLink::finish(EndRecord const& record) {
  auto const body = reflect::to_json(finish_request(record));
  auto const answer = post("/runs/" + std::to_string(spec_.run) + "/finish", body);
  if (!answer || answer->status >= 500) return FinishAnswer::unreachable;
  return is_good(*answer) ? FinishAnswer::accepted : FinishAnswer::refused;
}

}  // namespace andon::runner
