#include <mutex>
#include <unistd.h>

#include <doctest/doctest.h>

#include "http/server/running_server.hpp"
#include "os/processes/process.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;

namespace {

/// Output that lies in memory; a cursor is the number of lines before it.
class LinesInMemory final : public api::RunOutput {
 public:
  core::Result<api::OutputPage> read(core::RunId run, std::string_view since) override {
    std::scoped_lock const lock(mutex_);
    auto const& lines = lines_[run];
    auto const from = since.empty() ? 0U : static_cast<std::size_t>(std::atoll(std::string{since}.c_str()));
    if (from > lines.size())
      return core::refuse(core::Code::kMalformed, "\"since\" is not a cursor", "since");
    return api::OutputPage{{lines.begin() + static_cast<std::ptrdiff_t>(from), lines.end()},
                           std::to_string(lines.size()),
                           std::nullopt};
  }
  core::Result<void> append(core::RunId run, std::vector<api::OutputItem> const& items) override {
    std::scoped_lock const lock(mutex_);
    lines_[run].insert(lines_[run].end(), items.begin(), items.end());
    return {};
  }
  core::Result<api::OutputTaken> mirror(core::RunId run, api::OutputReport const& report) override {
    ANDON_CHECK(append(run, report.items));
    return api::OutputTaken{report.next};
  }
  void print(core::RunId run, std::string text) {
    (void)append(run, {{core::Instant{}, "text", std::move(text)}});
  }

 private:
  std::mutex mutex_;
  std::map<core::RunId, std::vector<api::OutputItem>> lines_;
};

void end_run(RunningServer& server, core::RunId id) {
  server.executor().write([&](service::OperationContext& u) {
    auto run = *u.tx.run(id);
    run.state = core::RunState::ended;
    run.outcome = core::Outcome::succeeded;
    run.ended = u.now;
    u.tx.put(run);
    return true;
  });
}

struct ServerWithOutput {
  LinesInMemory output;
  RunningServer server{[](auto& options) { options.limits.output_pace = std::chrono::milliseconds{5}; },
                       [this](auto& backends) { backends.output = &output; }};
  core::RunId run = server.add_run();
  std::string address = "/api/v1/runs/" + std::to_string(run) + "/output";
};

}  // namespace

TEST_CASE("RunOutput.IsReadByPages") {
  ServerWithOutput it;
  it.output.print(it.run, "first");
  auto const page = it.server.call("GET", it.address);
  CHECK(page.status == 200);
  CHECK(member(page.body, "text") == "first");
  auto const next = member(page.body, "next");
  CHECK(it.server.call("GET", it.address + "?since=" + next).body ==
        R"({"items":[],"next":")" + next + R"("})");
  CHECK(it.server.call("GET", it.address + "?since=99").status == 400);
  CHECK(it.server.call("GET", "/api/v1/runs/4711/output").status == 404);
}

TEST_CASE("RunOutput.IsDownloadedAsATextFile") {
  ServerWithOutput it;
  auto const file = "/api/v1/runs/" + std::to_string(it.run) + "/log";
  it.output.print(it.run, "first");
  it.output.print(it.run, "second");
  auto const answer = it.server.call("GET", file);
  CHECK(answer.status == 200);
  CHECK(answer.headers.at("content-type") == "text/plain; charset=utf-8");
  CHECK(answer.headers.at("x-content-type-options") == "nosniff");
  CHECK(answer.headers.at("content-disposition") ==
        "attachment; filename=\"run-" + std::to_string(it.run) + ".log\"");
  CHECK(answer.body == "1970-01-01T00:00:00.000Z  text    first\n1970-01-01T00:00:00.000Z  text    second\n");
  CHECK(it.server.call("GET", "/api/v1/runs/4711/log").status == 404);
  CHECK(it.server.call("GET", file, {}, {RunningServer::bearer("a-person")}).status == 200);
}

TEST_CASE("RunOutput.IsFollowedUntilTheRunEnds") {
  ServerWithOutput it;
  it.output.print(it.run, "first");
  auto wire = it.server.stream(it.address);
  CHECK(wire.until("\n\n").starts_with("HTTP/1.1 200"));
  auto const first = wire.until("\"}]}\n\n");
  CHECK(first.find("id: 1\nevent: output\n") != std::string::npos);
  CHECK(first.find("\"text\":\"first\"") != std::string::npos);
  it.output.print(it.run, "second");
  CHECK(wire.until("\"second\"}]}\n\n").find("id: 2\n") != std::string::npos);
  end_run(it.server, it.run);
  CHECK(wire.rest().find("event: end\n") != std::string::npos);
}

TEST_CASE("RunOutput.StreamGoesOnAfterTheLastEventId") {
  ServerWithOutput it;
  it.output.print(it.run, "first");
  it.output.print(it.run, "second");
  end_run(it.server, it.run);
  auto wire = it.server.stream(it.address + "?since=0", {"Last-Event-ID: 1"});
  auto const all = wire.rest();
  CHECK(all.find("first") == std::string::npos);
  CHECK(all.find("second") != std::string::npos);
}

TEST_CASE("RunOutput.IsReportedByItsOwnRunOnly") {
  ServerWithOutput it;
  it.server.add_token(core::TokenKind::run, "its-own", it.run, 1, 1);
  it.server.add_token(core::TokenKind::run, "another", core::RunId{it.run + 1}, 1, 1);
  auto const report = R"({"items":[{"at":"2026-11-21T08:00:00Z","stream":"text","text":"told"}]})";
  CHECK(it.server.call("POST", it.address, report, {RunningServer::bearer("another")}).status == 403);
  CHECK(it.server.call("POST", it.address, report, {RunningServer::bearer("a-person")}).status == 403);
  CHECK(it.server.call("POST", it.address, report, {RunningServer::bearer("its-own")}).status == 204);
  CHECK(member(it.server.call("GET", it.address).body, "text") == "told");
}

TEST_CASE("RunOutput.OfAndonIsReportedByNoRun") {
  ServerWithOutput it;
  it.server.add_token(core::TokenKind::run, "its-own", it.run, 1, 1);
  auto const report = [&](std::string const& stream, HeaderList const& who) {
    auto const line = R"({"at":"2026-11-21T08:00:00Z","stream":")" + stream + R"(","text":"told"})";
    auto const first = R"({"at":"2026-11-21T08:00:00Z","stream":"text","text":"first"})";
    return it.server.call("POST", it.address, std::string{R"({"items":[)"} + first + "," + line + "]}", who);
  };
  HeaderList const run{RunningServer::bearer("its-own")};
  for (auto const* stream : {"andon", "Andon", "andon ", "", "other"}) {
    CAPTURE(stream);
    auto const refused = report(stream, run);
    CHECK(refused.status == (std::string_view{stream} == "andon" ? 403 : 422));
    CHECK(member(refused.body, "field") == "items/1/stream");
  }
  CHECK(it.server.call("GET", it.address).body == R"({"items":[],"next":"0"})");
  for (auto const* stream : {"text", "tool", "notice", "stdout", "stderr", "raw"})
    CHECK(report(stream, run).status == 204);
  CHECK(report("andon", {}).status == 204);
}

TEST_CASE("RunOutput.OfAndonIsReportedByTheProcessThatSupervises") {
  ServerWithOutput it;
  it.server.add_token(core::TokenKind::run, "its-own", it.run, 1, 1);
  auto const report = R"({"items":[{"at":"2026-11-21T08:00:00Z","stream":"andon","text":"told"}]})";
  auto const call = [&] {
    Wire local{it.server.socket_path()};
    local.send(it.server.text("POST", it.address, report, {"Host: andon", RunningServer::bearer("its-own")}));
    return local.answer().status;
  };
  CHECK(call() == 403);
  it.server.executor().write([&](service::OperationContext& u) {
    auto run = *u.tx.run(it.run);
    run.pid = ::getpid();
    run.process = os::to_text(*os::identify(::getpid()));
    u.tx.put(run);
    return true;
  });
  CHECK(call() == 204);
}
