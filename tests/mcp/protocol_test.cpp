#include "mcp/protocol/protocol.hpp"

#include <sstream>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "mcp/protocol/stdio.hpp"

using namespace andon;
using namespace andon::mcp;

namespace {

/// A server with one tool that answers its arguments, and one resource.
class Echo : public Features {
 public:
  std::string instructions() const override { return "Say something."; }
  json::array tools() override { return {json::object{{"name", "echo"}}}; }
  void call_tool(std::string const& name, json::object arguments, RequestContext, Respond respond) override {
    if (name != "echo") return respond(fault(Fault::invalid_params, "no such tool"));
    respond(json::object{{"structuredContent", std::move(arguments)}});
  }
  void list_resources(std::string const& cursor, Respond respond) override {
    respond(json::object{{"resources", json::array{}}, {"cursor", cursor}});
  }
  json::array resource_templates() override { return {}; }
  void read_resource(std::string const&, Respond respond) override {
    respond(fault(Fault::resource_not_found, "nothing there"));
  }
  json::array prompts() override { return {}; }
  void get_prompt(std::string const& name, json::object, RequestContext, Respond respond) override {
    respond(json::object{{"description", name}});
  }
  void complete(std::string const& about, std::string const& name, std::string const& begun,
                Respond respond) override {
    respond(json::object{{"values", json::array{json::string{about + name + begun}}}});
  }
  ListChanges changing_lists() const override { return {}; }
  void changes_since(std::string const&, TellChanges tell) override { tell(Changes{"0", {}, {}}); }
};

constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

/// What a server says to these lines, one answer a line.
std::vector<json::object> said(std::string const& lines) {
  std::istringstream in{lines};
  std::ostringstream out;
  Protocol protocol{{"echo", "Echo", "1"}, os::kSystemClock};
  serve_stdio(protocol, std::make_shared<Echo>(), in, out);
  std::vector<json::object> answers;
  std::istringstream text{out.str()};
  for (std::string line; std::getline(text, line);) answers.push_back(json::parse(line).as_object());
  return answers;
}

std::string line_of(std::string const& method, std::string const& params = "{}") {
  return R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":)" + params + "}\n";
}

/// The answer to a request, the first one of its client.
json::object first(std::string const& method, std::string const& params = "{}") {
  auto answers = said(line_of(method, params));
  REQUIRE(answers.size() == 1);
  CHECK(answers.front().at("id") == 7);
  return answers.front();
}

/// The answer to a request behind the handshake.
json::object legacy(std::string const& method, std::string const& params = "{}") {
  auto answers = said(line_of("initialize") + line_of(method, params));
  REQUIRE(answers.size() == 2);
  return answers.back();
}

json::object modern(std::string const& method, std::string const& more = "") {
  return first(method, "{" + std::string{kMeta} + more + "}");
}

std::int64_t code_of(json::object const& answer) {
  return answer.contains("error") ? answer.at("error").at("code").as_int64() : 0;
}

}  // namespace

TEST_CASE("Protocol.MessagesThatAreNoneAreRefusedWithTheIdTheyHad") {
  struct Row {
    std::string line;
    std::int64_t code;
    std::string id;
  };
  for (auto const& [line, code, id] :
       {Row{"nonsense", -32700, "null"}, Row{"\xff", -32700, "null"}, Row{"[]", -32600, "null"},
        Row{R"({"id":1,"method":"ping"})", -32600, "1"},
        Row{R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", -32600, "null"},
        Row{R"({"jsonrpc":"2.0","id":"a","method":7})", -32600, R"("a")"},
        Row{R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})", -32600, "1"},
        Row{R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping"})", -32700, "null"},
        Row{std::string(kLongestMessage + 1, 'x'), -32600, "null"},
        Row{std::string(100'000, '['), -32700, "null"}}) {
    INFO(line.substr(0, 80));
    auto const answers = said(line + "\n" + R"({"jsonrpc":"2.0","id":9,"method":"ping"})" + "\n");
    REQUIRE(answers.size() == 2);
    CHECK(code_of(answers[0]) == code);
    CHECK(json::serialize(answers[0].at("id")) == id);
    CHECK(answers[1].at("id") == 9);
  }
}

TEST_CASE("Protocol.NotificationsAndAnswersOfTheClientAreNotAnswered") {
  CHECK(said("\n \n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
             "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"method\":\"nope\"}\n")
            .empty());
}

TEST_CASE("Protocol.AVersionIsAgreedOn") {
  for (auto const& [asked, agreed] : {std::pair{"2025-11-25", "2025-11-25"},
                                      {"2025-06-18", "2025-06-18"},
                                      {"2024-11-05", "2025-11-25"},
                                      {"2030-01-01", "2025-11-25"}}) {
    auto const answer = legacy("initialize", R"({"protocolVersion":")" + std::string{asked} + R"("})");
    CHECK(answer.at("result").at("protocolVersion") == agreed);
    CHECK(answer.at("result").at("instructions") == "Say something.");
  }
}

TEST_CASE("Protocol.EachFormHasItsOwnMethods") {
  for (auto const* method : {"initialize", "ping"}) {
    CHECK(code_of(legacy(method)) == 0);
    CHECK(code_of(modern(method)) == -32601);
  }
  CHECK(code_of(legacy("server/discover")) == -32601);
  CHECK(code_of(modern("server/discover")) == 0);
  for (auto const* method : {"tools/list", "resources/list", "resources/templates/list", "prompts/list"}) {
    CHECK_FALSE(legacy(method).at("result").as_object().contains("resultType"));
    auto const result = modern(method).at("result").as_object();
    CHECK(result.at("resultType") == "complete");
    CHECK(result.at("cacheScope") == "private");
    CHECK(result.at("ttlMs").as_int64() >= 0);
  }
  for (auto const* method : {"logging/setLevel", "roots/list", "", "tools"}) {
    CHECK(code_of(legacy(method)) == -32601);
    CHECK(code_of(modern(method)) == -32601);
  }
}

TEST_CASE("Protocol.NoToolIsCalledBeforeTheHandshake") {
  auto const answer = first("tools/call", R"({"name":"echo","arguments":{}})");
  CHECK(code_of(answer) == -32600);
  CHECK(json::serialize(answer).contains("before the handshake"));
  for (auto const* method : {"initialize", "ping", "tools/list", "resources/list", "prompts/list"})
    CHECK(code_of(first(method)) == 0);
}

TEST_CASE("Protocol.AModernRequestSaysAllThatIsNeeded") {
  CHECK(code_of(legacy("tools/list",
                       R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}})")) == -32602);
  auto const answer = legacy(
      "tools/list",
      R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01","io.modelcontextprotocol/clientCapabilities":{}}})");
  CHECK(code_of(answer) == -32022);
  CHECK(answer.at("error").at("data").at("requested") == "2031-01-01");
  CHECK(answer.at("error").at("data").at("supported").as_array().front() == "2026-07-28");
}

TEST_CASE("Protocol.CallsReachTheServersFeatures") {
  auto const call = R"({"name":"echo","arguments":{"a":1}})";
  CHECK(legacy("tools/call", call).at("result").at("structuredContent").at("a") == 1);
  CHECK(code_of(legacy("tools/call", R"({"name":"nope"})")) == -32602);
  CHECK(code_of(legacy("tools/call", R"({"name":"echo","arguments":[]})")) == -32602);
  CHECK(code_of(legacy("resources/read", R"({"uri":"x"})")) == -32002);
  CHECK(code_of(modern("resources/read", R"(,"uri":"x")")) == -32602);
  CHECK(legacy("prompts/get", R"({"name":"p"})").at("result").at("description") == "p");
  auto const completed =
      legacy("completion/complete",
             R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"n","value":"v"}})");
  CHECK(completed.at("result").at("completion").at("values").as_array().front() == "pnv");
  CHECK(code_of(legacy("completion/complete")) == -32602);
}
