#include "mcp/http_endpoint.hpp"

#include <deque>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "support/fake_clock.hpp"

using namespace andon;
using namespace andon::mcp;

namespace {

constexpr char kAsks[] =
    R"({"inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?"}}}})";

/// Tools that the tests lead: they answer when told, or ask for input.
struct Led : Features {
  std::deque<std::pair<RequestContext, Respond>> waiting;
  std::string place = "1";
  std::set<std::string, std::less<>> changed;
  bool fails = false;
  int looks = 0;

  std::string instructions() const override { return {}; }
  json::array tools() override { return {}; }
  void call_tool(std::string const& name, json::object, RequestContext context, Respond respond) override {
    if (name == "wait") return waiting.emplace_back(std::move(context), std::move(respond)), void();
    if (context.inputs.contains("who")) return respond(json::object{{"told", context.inputs.at("who")}});
    respond(json::parse(kAsks).as_object());
  }
  void list_resources(std::string const&, Respond respond) override { respond(json::object{}); }
  json::array resource_templates() override { return {}; }
  void read_resource(std::string const&, Respond respond) override { respond(json::object{}); }
  json::array prompts() override { return {}; }
  void get_prompt(std::string const&, json::object, RequestContext, Respond respond) override {
    respond(json::object{});
  }
  void complete(std::string const&, std::string const&, std::string const&, Respond respond) override {
    respond(json::object{});
  }
  ListChanges changing_lists() const override {
    return {.tools = false, .prompts = false, .resources = true};
  }
  void changes_since(std::string const& since, TellChanges tell) override {
    if (!since.empty()) ++looks;
    if (fails) return tell(fault(Fault::internal_error, "not now"));
    tell(Changes{place, {}, since.empty() ? decltype(changed){} : changed});
  }
};

/// A stream as the HTTP server gives it.
struct FakeStream : api::MessageStream {
  struct Event {
    std::string message;
    std::string id;
  };
  std::vector<Event> events;
  bool ended = false;

  void send(std::string message, std::string id) override {
    CHECK_FALSE(ended);
    events.push_back({std::move(message), std::move(id)});
  }
  void end(std::string message, std::string id) override {
    if (!message.empty()) send(std::move(message), std::move(id));
    ended = true;
  }
  json::object at(std::size_t i) const { return json::parse(events.at(i).message).as_object(); }
};

/// A client and the server.
struct Bench {
  test::FakeClock clock;
  std::shared_ptr<Led> led = std::make_shared<Led>();
  HttpEndpoint endpoint{{"led", "Led", "1"}, [this](api::EndpointRequest const&) { return led; }, clock};
  std::string credential = "ann";
  bool may_stream = true;

  /// Requests hold the features that answer them.
  ~Bench() { led->waiting.clear(); }

  struct Asked {
    std::shared_ptr<std::atomic<bool>> gone = std::make_shared<std::atomic<bool>>(false);
    std::optional<api::EndpointAnswer> answer;
    std::shared_ptr<FakeStream> stream;

    json::object body() const { return json::parse(answer.value().body).as_object(); }
  };

  std::shared_ptr<Asked> ask(std::string method, std::string body,
                             std::vector<std::pair<std::string, std::string>> headers = {}) {
    auto const out = std::make_shared<Asked>();
    headers.emplace_back("accept", "application/json, text/event-stream");
    endpoint.serve({.method = std::move(method),
                    .headers = std::move(headers),
                    .body = std::move(body),
                    .caller = {},
                    .credential = credential,
                    .start = {},
                    .gone = out->gone,
                    .may_stream = may_stream},
                   [out](api::EndpointAnswer answer) {
                     REQUIRE_FALSE(out->answer);
                     if (answer.streams) {
                       out->stream = std::make_shared<FakeStream>();
                       answer.streams(out->stream);
                     }
                     out->answer = std::move(answer);
                   });
    return out;
  }

  std::shared_ptr<Asked> legacy(std::string const& session, std::string const& id, std::string const& method,
                                std::string const& params = "{}") {
    return ask("POST",
               R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params + "}",
               {{"mcp-session-id", session}});
  }
  std::shared_ptr<Asked> modern(std::string const& method, std::string const& more,
                                std::string const& name = {},
                                std::string const& capabilities = R"({"elicitation":{}})") {
    auto const meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                      R"("io.modelcontextprotocol/clientCapabilities":)" +
                      capabilities + "}";
    std::vector<std::pair<std::string, std::string>> headers{{"mcp-protocol-version", "2026-07-28"},
                                                             {"mcp-method", method}};
    if (!name.empty()) headers.emplace_back("mcp-name", name);
    return ask("POST",
               R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + meta + more + "}}",
               std::move(headers));
  }
  std::string session(std::string const& capabilities = R"({"elicitation":{}})") {
    auto const hello =
        ask("POST", R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":)" +
                        capabilities + "}}");
    return hello->answer->headers.at(0).second;
  }
};

std::int64_t fault_of(json::object const& answer) {
  return answer.contains("error") ? answer.at("error").at("code").as_int64() : 0;
}

}  // namespace

TEST_CASE("HttpEndpoint.AnAnswerIsAStreamOnlyWhereSomethingIsSaidBeforeIt") {
  Bench bench;
  auto const plain = bench.modern("tools/call", R"(,"name":"wait")", "wait");
  REQUIRE(bench.led->waiting.size() == 1);
  bench.led->waiting.front().first.progress(1, 2, "nobody asked for it");
  CHECK_FALSE(plain->answer);
  bench.led->waiting.front().second(json::object{{"a", 1}});
  REQUIRE(plain->answer);
  CHECK_FALSE(plain->stream);
  CHECK(plain->body().at("result").at("a") == 1);

  auto const session = bench.session();
  auto const told =
      bench.legacy(session, "5", "tools/call", R"({"name":"wait","_meta":{"progressToken":"t"}})");
  auto& [context, respond] = bench.led->waiting.back();
  context.progress(1, 2, "half");
  REQUIRE(told->stream);
  respond(json::object{{"a", 1}});
  CHECK(told->stream->ended);
  REQUIRE(told->stream->events.size() == 2);
  CHECK(told->stream->at(0).at("params").at("progressToken") == "t");
  CHECK(told->stream->at(1).at("id") == 5);
}

TEST_CASE("HttpEndpoint.WithoutRoomForAStreamTheResultStillComes") {
  Bench bench;
  bench.may_stream = false;
  auto const asked = bench.modern("tools/call", R"(,"name":"wait")", "wait");
  auto& [context, respond] = bench.led->waiting.front();
  context.progress_token = 1;
  context.progress(1, {}, {});
  CHECK_FALSE(asked->answer);
  respond(json::object{});
  CHECK(asked->answer->status == 200);
  CHECK(bench.modern("subscriptions/listen", {})->answer->status == 429);
}

TEST_CASE("HttpEndpoint.LeavingCancelsInTheNewerFormAlone") {
  Bench bench;
  auto const modern = bench.modern("tools/call", R"(,"name":"wait")", "wait");
  auto const session = bench.session();
  auto const legacy = bench.legacy(session, "5", "tools/call", R"({"name":"wait"})");
  *modern->gone = true;
  *legacy->gone = true;
  CHECK(bench.led->waiting[0].first.exchange->is_cancelled());
  CHECK_FALSE(bench.led->waiting[1].first.exchange->is_cancelled());
  auto const cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})";
  auto const stranger = bench.session();
  bench.ask("POST", cancel, {{"mcp-session-id", stranger}});
  bench.credential = "eve";
  bench.ask("POST", cancel, {{"mcp-session-id", session}});
  CHECK_FALSE(bench.led->waiting[1].first.exchange->is_cancelled());
  bench.credential = "ann";
  CHECK(bench.ask("POST", cancel, {{"mcp-session-id", session}})->answer->status == 202);
  CHECK(bench.led->waiting[1].first.exchange->is_cancelled());
}

TEST_CASE("HttpEndpoint.InputIsAskedOnTheStreamInTheOlderForm") {
  Bench bench;
  auto const session = bench.session();
  auto const asked = bench.legacy(session, "5", "tools/call", R"({"name":"ask"})");
  REQUIRE(asked->stream);
  auto const question = asked->stream->at(0);
  CHECK(question.at("method") == "elicitation/create");
  auto const id = json::serialize(question.at("id"));
  auto const answer = R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"action":"accept"}})";
  bench.ask("POST", answer, {{"mcp-session-id", bench.session()}});
  CHECK(asked->stream->events.size() == 1);
  bench.ask("POST", answer, {{"mcp-session-id", session}});
  bench.ask("POST", answer, {{"mcp-session-id", session}});
  REQUIRE(asked->stream->events.size() == 2);
  CHECK(asked->stream->at(1).at("result").at("told").at("action") == "accept");
}

TEST_CASE("HttpEndpoint.AClientThatGivesNoInputGetsAnError") {
  Bench bench;
  auto const session = bench.session();
  SUBCASE("it refuses") {
    auto const asked = bench.legacy(session, "5", "tools/call", R"({"name":"ask"})");
    auto const id = json::serialize(asked->stream->at(0).at("id"));
    bench.ask("POST", R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":-1,"message":"no"}})",
              {{"mcp-session-id", session}});
    CHECK(fault_of(asked->stream->at(1)) == -32603);
  }
  SUBCASE("it never answers") {
    auto const asked = bench.legacy(session, "5", "tools/call", R"({"name":"ask"})");
    bench.clock.advance(std::chrono::minutes{11});
    bench.endpoint.step(false);
    CHECK(fault_of(asked->stream->at(1)) == -32603);
  }
  SUBCASE("its session ends") {
    auto const asked = bench.legacy(session, "5", "tools/call", R"({"name":"ask"})");
    bench.ask("DELETE", {}, {{"mcp-session-id", session}});
    CHECK(fault_of(asked->stream->at(1)) == -32603);
  }
  SUBCASE("it has not the capability") {
    auto const asked = bench.legacy(bench.session("{}"), "5", "tools/call", R"({"name":"ask"})");
    CHECK(fault_of(asked->body()) == -32021);
  }
  SUBCASE("it is asked too much") {
    std::vector<std::shared_ptr<Bench::Asked>> all;
    for (int i = 0; i < 20; ++i)
      all.push_back(bench.legacy(session, std::to_string(i), "tools/call", R"({"name":"ask"})"));
    CHECK(fault_of(all.back()->body()) == -32603);
  }
}

TEST_CASE("HttpEndpoint.TheStateOfARequestForInputIsGoodForItsCallerAndRequestAlone") {
  Bench bench;
  auto const asked = bench.modern("tools/call", R"(,"name":"ask","arguments":{"a":1})", "ask")->body();
  CHECK(asked.at("result").at("resultType") == "input_required");
  auto const state = std::string{asked.at("result").at("requestState").as_string()};
  auto const again = [&](std::string const& with, std::string const& arguments) {
    return bench
        .modern("tools/call",
                R"(,"name":"ask","arguments":)" + arguments + R"(,"requestState":")" + with +
                    R"(","inputResponses":{"who":{"action":"accept"}})",
                "ask")
        ->body();
  };
  CHECK(again(state, R"({"a":1})").at("result").at("resultType") == "complete");
  CHECK(fault_of(again(state, R"({"a":2})")) == -32602);
  for (std::size_t i = 0; i < state.size(); i += 7) {
    auto changed = state;
    changed[i] = changed[i] == 'a' ? 'b' : 'a';
    CHECK(fault_of(again(changed, R"({"a":1})")) == -32602);
  }
  for (auto const* bad : {"", ".", "x", "00.00"}) CHECK(fault_of(again(bad, R"({"a":1})")) == -32602);
  bench.credential = "eve";
  CHECK(fault_of(again(state, R"({"a":1})")) == -32602);
  bench.credential = "ann";
  bench.clock.advance(std::chrono::minutes{16});
  CHECK(fault_of(again(state, R"({"a":1})")) == -32602);
  for (auto const* inputs : {"7", "[]", R"({"who":7})"})
    CHECK(fault_of(
              bench.modern("tools/call", std::string{R"(,"name":"ask","inputResponses":)"} + inputs, "ask")
                  ->body()) == -32602);
}

TEST_CASE("HttpEndpoint.AFailedLookForChangesIsRepeated") {
  Bench bench;
  auto const asked =
      bench.modern("subscriptions/listen", R"(,"notifications":{"resourceSubscriptions":["x"]})");
  REQUIRE(asked->stream);
  bench.led->changed = {"x", "y"};
  bench.led->fails = true;
  bench.endpoint.step(true);
  CHECK(asked->stream->events.size() == 1);
  bench.led->fails = false;
  bench.endpoint.step(false);
  REQUIRE(asked->stream->events.size() == 2);
  CHECK(asked->stream->at(1).at("params").at("uri") == "x");
  auto const looks = bench.led->looks;
  bench.endpoint.step(false);
  CHECK(bench.led->looks == looks);
  *asked->gone = true;
  bench.endpoint.step(true);
  CHECK(bench.led->looks == looks);
}

TEST_CASE("HttpEndpoint.WhatIsKeptForAClientThatComesBackIsBounded") {
  Bench bench;
  auto const session = bench.session();
  auto const begin = [&](std::string const& id, std::size_t bytes) {
    auto const asked =
        bench.legacy(session, id, "tools/call", R"({"name":"wait","_meta":{"progressToken":1}})");
    auto& [context, respond] = bench.led->waiting.back();
    context.progress(1, {}, std::string(bytes, 'x'));
    return asked->stream->events.at(0).id;
  };
  auto const come_back = [&](std::string const& id) {
    return bench.ask("GET", {}, {{"mcp-session-id", session}, {"last-event-id", id}});
  };
  auto const first = begin("1", 10);
  CHECK(come_back(first)->stream);
  CHECK(come_back(begin("2", 70'000))->answer->status == 400);
  for (int i = 0; i < 256; ++i) begin("1" + std::to_string(i), 10);
  CHECK(come_back(first)->answer->status == 400);
  for (auto const* bad : {"s1", "s1.", "s1.9999999", "s1.x", ".", "x.1"})
    CHECK(come_back(bad)->answer->status == 400);
}

TEST_CASE("HttpEndpoint.AStreamThatGoesOnElsewhereEndsWhereItWas") {
  Bench bench;
  auto const session = bench.session();
  auto const asked =
      bench.legacy(session, "1", "tools/call", R"({"name":"wait","_meta":{"progressToken":1}})");
  auto& [context, respond] = bench.led->waiting.back();
  context.progress(1, {}, {});
  context.progress(2, {}, {});
  auto const back =
      bench.ask("GET", {}, {{"mcp-session-id", session}, {"last-event-id", asked->stream->events.at(0).id}});
  CHECK(asked->stream->ended);
  REQUIRE(back->stream);
  context.progress(3, {}, {});
  respond(json::object{});
  REQUIRE(back->stream->events.size() == 3);
  CHECK(back->stream->at(0).at("params").at("progress") == 2.0);
  CHECK(back->stream->ended);
  CHECK(asked->stream->events.size() == 2);
}
