#include <charconv>
#include <list>
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
    auto const end = std::min(lines.size(), from + kLinesOfPage);
    api::OutputPage out{
        {lines.begin() + static_cast<std::ptrdiff_t>(from), lines.begin() + static_cast<std::ptrdiff_t>(end)},
        std::to_string(end),
        std::nullopt};
    if (end < lines.size()) out.more = true;
    return out;
  }
  core::Result<api::OutputTaken> mirror(core::RunId run, api::OutputReport const& report) override {
    append(run, report.items);
    return api::OutputTaken{report.next};
  }
  void print(core::RunId run, std::string text) { append(run, {{core::Instant{}, "text", std::move(text)}}); }

 private:
  static constexpr std::size_t kLinesOfPage = 20;

  void append(core::RunId run, std::vector<api::OutputItem> const& items) {
    std::scoped_lock const lock(mutex_);
    lines_[run].insert(lines_[run].end(), items.begin(), items.end());
  }

  std::mutex mutex_;
  std::map<core::RunId, std::vector<api::OutputItem>> lines_;
};

/// The body of an answer in chunks; empty when it was cut short.
std::string without_chunks(std::string_view text) {
  std::string out;
  while (true) {
    std::size_t size = 0;
    auto const end = std::from_chars(text.data(), text.data() + text.size(), size, 16).ptr;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.starts_with("\r\n") || text.size() < size + 4) return {};
    if (size == 0) return out;
    out += text.substr(2, size);
    text.remove_prefix(size + 4);
  }
}

std::size_t held_bytes(RunningServer& server) {
  auto const metrics = server.call("GET", "/metrics").body;
  constexpr std::string_view kName = "\nandon_http_held_bytes ";
  return std::stoul(metrics.substr(metrics.find(kName) + kName.size()));
}

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

TEST_CASE("RunOutput.IsHandedInByNoRunAndNoPerson") {
  ServerWithOutput it;
  it.server.add_token(core::TokenKind::run, "its-own", it.run, 1, 1);
  it.server.add_token(core::TokenKind::run, "another", core::RunId{it.run + 1}, 1, 1);
  auto const report =
      R"({"items":[{"at":"2026-11-21T08:00:00Z","stream":"text","text":"told"}],"since":"","next":"1"})";
  for (auto const* who : {"its-own", "another", "a-person"}) {
    CAPTURE(who);
    CHECK(it.server.call("POST", it.address, report, {RunningServer::bearer(who)}).status == 403);
  }
  CHECK(it.server.call("GET", it.address).body == R"({"items":[],"next":"0"})");
  CHECK(it.server.call("POST", it.address, report).status == 200);
  CHECK(member(it.server.call("GET", it.address).body, "text") == "told");
}

TEST_CASE("RunOutput.IsHandedInByTheProcessThatSupervisesNeither") {
  ServerWithOutput it;
  it.server.add_token(core::TokenKind::run, "its-own", it.run, 1, 1);
  it.server.executor().write([&](service::OperationContext& u) {
    auto run = *u.tx.run(it.run);
    run.pid = ::getpid();
    run.process = os::to_text(*os::identify(::getpid()));
    u.tx.put(run);
    return true;
  });
  auto const report =
      R"({"items":[{"at":"2026-11-21T08:00:00Z","stream":"andon","text":"told"}],"since":"","next":"1"})";
  Wire local{it.server.socket_path()};
  local.send(it.server.text("POST", it.address, report, {"Host: andon", RunningServer::bearer("its-own")}));
  CHECK(local.answer().status == 403);
}

TEST_CASE("RunOutput.IsTakenWithAPlaceAndKnownStreamsOnly") {
  ServerWithOutput it;
  auto const report = [&](std::string const& stream, std::string const& place) {
    auto const line = R"({"at":"2026-11-21T08:00:00Z","stream":")" + stream + R"(","text":"told"})";
    auto const first = R"({"at":"2026-11-21T08:00:00Z","stream":"text","text":"first"})";
    return it.server.call("POST", it.address,
                          std::string{R"({"items":[)"} + first + "," + line + "]" + place + "}");
  };
  std::string const place = R"(,"since":"","next":"1")";
  for (auto const* stream : {"Andon", "andon ", "", "other"}) {
    CAPTURE(stream);
    auto const refused = report(stream, place);
    CHECK(refused.status == 422);
    CHECK(member(refused.body, "field") == "items/1/stream");
  }
  CHECK(report("text", "").status == 422);
  CHECK(it.server.call("GET", it.address).body == R"({"items":[],"next":"0"})");
  for (auto const* stream : {"text", "tool", "notice", "stdout", "stderr", "raw", "andon"})
    CHECK(report(stream, place).status == 200);
}

TEST_CASE("RunOutput.OfALongLogIsDownloadedWhole") {
  ServerWithOutput it;
  std::string expected;
  for (int n = 0; n < 500; ++n) {
    auto const text = std::to_string(n) + std::string(10'000, 'x');
    it.output.print(it.run, text);
    expected += "1970-01-01T00:00:00.000Z  text    " + text + "\n";
  }
  auto wire = it.server.stream("/api/v1/runs/" + std::to_string(it.run) + "/log");
  auto const head = wire.until("\r\n\r\n");
  CHECK(head.find("Transfer-Encoding: chunked\r\n") != std::string::npos);
  CHECK(head.find("X-Content-Type-Options: nosniff\r\n") != std::string::npos);
  CHECK(head.find("Content-Disposition: attachment; filename=\"run-") != std::string::npos);
  CHECK(without_chunks(wire.rest()) == expected);
}

TEST_CASE("RunOutput.ForSlowReadersHoldsWhatConnectionsMayHoldTogether") {
  LinesInMemory output;
  constexpr std::size_t kMost = 4U << 20U;
  RunningServer server{[](auto& options) { options.limits.held = kMost; },
                       [&](auto& backends) { backends.output = &output; }};
  auto const run = server.add_run();
  for (int n = 0; n < 3000; ++n) output.print(run, std::string(16U << 10U, 'x'));
  auto const address = "/api/v1/runs/" + std::to_string(run);
  std::list<Wire> readers;
  for (int n = 0; n < 15; ++n) {
    readers.push_back(server.stream(address + "/log"));
    readers.push_back(server.stream(address + "/output"));
  }
  std::size_t most = 0;
  for (int n = 0; n < 100; ++n) most = std::max(most, held_bytes(server));
  CHECK(most > 0);
  CHECK(most <= kMost + (1U << 20U));
  readers.clear();
  CHECK(eventually([&] { return held_bytes(server) < (64U << 10U); }));
}
