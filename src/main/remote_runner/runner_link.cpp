#include "main/remote_runner/runner_link.hpp"

#include "reflect/json.hpp"

namespace andon::main {
namespace {

constexpr std::chrono::seconds kConnectTime{3};

}  // namespace

RunnerLink::Headers RunnerLink::headers() const {
  return {{"Authorization", "Bearer " + token_}, {"Andon-Incarnation", std::to_string(incarnation_)}};
}

std::unique_ptr<api::Transport> RunnerLink::connect(std::chrono::milliseconds answer,
                                                    std::chrono::milliseconds absence) const {
  http::ClientTimes times;
  times.connect = kConnectTime;
  times.answer = answer;
  times.absence = absence;
  return http::client_of_any(urls_, choice_, times, certificates_);
}

/// The server takes who asks from the token.
core::Result<api::Answer> LinkedExecutor::run(api::Call call) {
  call.caller = {};
  server_.send_always("Andon-Incarnation", std::to_string(link_.incarnation()));
  return server_.run(std::move(call));
}

core::Result<api::OutputTaken> LinkedExecutor::send_output(core::RunId run, api::OutputReport const& report) {
  api::HttpCall call;
  call.method = "POST";
  call.target = "/api/v1/runs/" + std::to_string(std::int64_t{run}) + "/output";
  call.headers = link_.headers();
  call.headers.emplace_back("Content-Type", "application/json");
  // The place in the log makes the second arrival of the same lines harmless.
  call.headers.emplace_back("Idempotency-Key",
                            "output-" + std::to_string(std::int64_t{run}) + "-" + report.since);
  call.body = reflect::to_json(report);
  ANDON_TRY(auto const answer, transport_->call(call));
  if (answer.status != 200) return std::unexpected(api::error_of(answer));
  return reflect::read_json<api::OutputTaken>(answer.body, reflect::Unknown::ignore);
}

}  // namespace andon::main
