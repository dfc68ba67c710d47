#include "runner/output/transcript.hpp"

#include <random>

#include <doctest/doctest.h>

#include "runner/profiles/profiles.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

/// A transcript of a profile with what it told people.
struct Reading {
  explicit Reading(Profile const& profile, core::Usage used_before = {})
      : transcript{profile.output, *RuleSet::compile(profile.output), profile.usage, profile.fatal,
                   used_before} {}

  OnLine on_line() {
    return [this](std::string_view from, std::string_view text) {
      lines.push_back(std::string{from} + "|" + std::string{text});
    };
  }
  Reading& line(std::string_view text) {
    transcript.feed(OutputStream::out, std::string{text} + "\n", on_line());
    return *this;
  }
  Summary end() {
    transcript.finish(on_line());
    return transcript.summary();
  }

  Transcript transcript;
  std::vector<std::string> lines;
};

Profile text_profile() {
  return *test::profile_from(R"({"schema":1,"id":"t","argv":["t"],"output":{"kind":"text"}})");
}

Profile jsonl_profile(std::string const& rules, std::string const& usage = "{}") {
  return *test::profile_from(R"({"schema":1,"id":"t","argv":["t"],"output":{"kind":"jsonl","rules":)" +
                             rules + R"(},"usage":)" + usage + "}");
}

std::string shared(std::string_view piece, bool sub) {
  return R"({"type":"assistant","message":{"content":[{"type":"text","text":")" + std::string{piece} +
         R"("}]},"parent_tool_use_id":)" + (sub ? "\"toolu_9\"" : "null") + "}";
}

}  // namespace

TEST_CASE("Transcript.ARunOfClaudeIsUnderstood") {
  Reading r{test::built_in("claude")};
  r.line(
      R"({"type":"system","subtype":"init","session_id":"3f0c","model":"claude-x","mcp_servers":[{"name":"board","status":"failed"}]})");
  r.line(
      R"({"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"I will\nlo"}}})");
  r.line(
      R"({"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"ok."}}})");
  r.line(shared("I will\\nlook.", false));
  r.line(
      R"({"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"make test"}}]},"parent_tool_use_id":null})");
  CHECK(r.transcript.is_in_tool());
  r.line(
      R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok","is_error":false}]}})");
  CHECK_FALSE(r.transcript.is_in_tool());
  r.line(shared("from the side", true));
  r.line(shared("All done.", false));
  r.line(
      R"({"num_turns":2,"is_error":false,"result":"All done.","subtype":"success","model_usage_since_last_result":{"claude-x":{"inputTokens":240,"outputTokens":26,"cacheReadInputTokens":100,"cacheCreationInputTokens":60,"costUSD":0.0009}},"modelUsage":{"claude-x":{"inputTokens":9999}},"session_id":"3f0c","type":"result"})");
  auto const s = r.end();
  CHECK(s.session == "3f0c");
  CHECK(s.model == "claude-x");
  CHECK(s.result == "All done.");
  CHECK(s.is_error == false);
  REQUIRE(s.usage);
  CHECK(s.usage->input == 400);
  CHECK(s.usage->output == 26);
  CHECK(s.usage->cost_usd.value_or(0) == doctest::Approx(0.0009));
  CHECK(r.lines == std::vector<std::string>{"notice|session started with claude-x",
                                            "notice|MCP server board failed", "text|I will", "text|look.",
                                            "tool|▸ Bash: make test", "tool|  ok", "text|│ from the side",
                                            "text|All done."});
}

TEST_CASE("Transcript.AnApiFailureArrivesAsASuccessfulError") {
  Reading r{test::built_in("claude")};
  r.line(
      R"({"type":"result","subtype":"success","is_error":true,"result":"API Error: 401","api_error_status":401})");
  auto const s = r.end();
  CHECK(s.is_error == true);
  CHECK(s.error == "API Error: 401");
  CHECK(s.api_status == 401);
}

TEST_CASE("Transcript.TheSecondFailedSignInIsFatal") {
  Reading r{test::built_in("claude")};
  std::string_view const retry =
      R"({"type":"system","subtype":"api_retry","attempt":1,"error":"authentication_failed"})";
  r.line(retry);
  CHECK_FALSE(r.transcript.fatal());
  r.line(retry);
  REQUIRE(r.transcript.fatal());
  CHECK(r.transcript.fatal()->class_ == ExitClass::auth);
  CHECK(r.transcript.summary().error == "authentication_failed");
}

TEST_CASE("Transcript.AReachedLimitIsRememberedWithItsReset") {
  Reading r{test::built_in("claude")};
  r.line(R"({"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","resetsAt":5}})");
  CHECK_FALSE(r.transcript.summary().has_reached_limit());
  r.line(R"({"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1800000000}})");
  CHECK(r.transcript.summary().has_reached_limit());
  CHECK(r.transcript.summary().limits.front().resets_at == 1'800'000'000);
  Reading own{*test::profile_from(
      R"({"schema":1,"id":"t","argv":["t"],"output":{"kind":"text","rules":[{"regex":"^LIMIT (?<resets_at>[0-9]+)$","emit":"limit"}]}})")};
  own.line("LIMIT 1800000000");
  CHECK(own.transcript.summary().has_reached_limit());
  CHECK(own.transcript.summary().limits.front().resets_at == 1'800'000'000);
}

TEST_CASE("Transcript.SessionNumbersLoseWhatEarlierRunsUsed") {
  auto const profile = jsonl_profile(
      R"([{"when":[{"ptr":"/type","eq":"turn.completed"}],"emit":"usage","set":{"input":"/i","output":"/o"}}])",
      R"({"scope":"session"})");
  Reading resumed{profile, {.input = 280, .output = 42}};
  resumed.line(R"({"type":"turn.completed","i":420,"o":60})");
  auto const s = resumed.end();
  CHECK(s.usage->input == 140);
  CHECK(s.usage->output == 18);
  CHECK(s.session_usage.input == 420);
  Reading begun_anew{profile, {.input = 280}};
  CHECK(begun_anew.line(R"({"type":"turn.completed","i":100})").end().usage->input == 100);
}

TEST_CASE("Transcript.ReasoningComesFromTheTotalWhereItIsNotTold") {
  Reading r{jsonl_profile(
      R"([{"when":[{"ptr":"/type","eq":"result"}],"emit":"usage","set":{"input":"/i","output":"/o","total":"/t"}}])",
      R"({"includes_reasoning":false,"reasoning_from_total":true})")};
  auto const s = r.line(R"({"type":"result","i":320,"o":28,"t":360})").end();
  CHECK(s.usage->output == 40);
  CHECK(s.usage->reasoning == 12);
}

TEST_CASE("Transcript.OnlyTheFirstRuleOfAGroupFiresAndKeysAreRead") {
  Reading r{jsonl_profile(
      R"([{"when":[{"ptr":"/call","exists":true}],"group":"g","emit":"tool_start","set":{"name":{"ptr":"/call","key":true},"input":{"const":"x"}}},
          {"when":[{"ptr":"/call","exists":true}],"group":"g","emit":"notice","set":{"text":{"const":"second"}}}])")};
  r.line(R"({"call":{"readToolCall":{"args":1}}})");
  CHECK(r.lines == std::vector<std::string>{"tool|▸ readToolCall: x"});
}

TEST_CASE("Transcript.UsageOfATextIsReadWithItsUnits") {
  Reading r{test::built_in("generic")};
  r.line("Tokens: 2.3k sent, 1.1k cache hit, 412 received.").line("Cost: $0.0084 message, $0.02 session.");
  r.line("Tokens: 700 sent, 5 received.").line("ANDON:done all of it");
  auto const s = r.end();
  CHECK(s.usage->input == 3000);
  CHECK(s.usage->cache_read == 1100);
  CHECK(s.usage->output == 417);
  CHECK(s.usage->cost_usd.value_or(0) == doctest::Approx(0.0084));
  CHECK(s.is_error == false);
  CHECK(s.result == "all of it");
}

TEST_CASE("Transcript.ATextKeepsItsEnd") {
  Reading r{text_profile()};
  for (int i = 0; i < 2000; ++i) r.line("line " + std::to_string(i));
  r.transcript.feed(OutputStream::err, "aside\r\n", r.on_line());
  r.transcript.feed(OutputStream::out, "cut mid-li", r.on_line());
  auto const s = r.end();
  CHECK(s.output_tail.size() <= 4096);
  CHECK(s.output_tail.ends_with("line 1999\naside\ncut mid-li\n"));
  CHECK(r.lines.back() == "stdout|cut mid-li");
}

TEST_CASE("Transcript.TextInPiecesIsToldByTheLine") {
  Reading r{jsonl_profile(R"([{"when":[{"ptr":"/d","exists":true}],"emit":"text","set":{"delta":"/d"}}])")};
  r.line(R"({"d":"one\ntw"})").line(R"({"d":"o"})");
  CHECK(r.lines == std::vector<std::string>{"text|one"});
  CHECK(r.end().result == "one\ntwo");
  CHECK(r.lines.back() == "text|two");
}

TEST_CASE("Transcript.TortureIsKeptRawAndWhatFollowsIsRead") {
  std::string const good = R"({"type":"result","is_error":false,"result":"fine"})";
  std::string deep(10'000, '[');
  for (std::string const& bad :
       {std::string{"Welcome to the tool!"}, std::string{"\x1b[31mred\x1b[0m"},
        std::string("{\"a\":\"\0\"}", 9), std::string{"{\"a\":\"\xff\xfe\"}"}, "{\"a\":" + deep,
        std::string{R"({"type":"result","type":"x"})"}, std::string{R"({"a":1}{"b":2})"},
        std::string{R"({"n":123456789012345678901234567890,"e":1e999})"},
        std::string{R"({"type":"never heard of"})"}, "{\"a\":\"" + std::string(9 << 20, 'x') + "\"}"}) {
    Reading r{test::built_in("claude")};
    r.line(bad).line(good + "\r");
    auto const s = r.end();
    CHECK(s.result == "fine");
    CHECK(r.lines.size() == 1);
    CHECK(r.lines[0].size() < 70'000);
  }
}

TEST_CASE("Transcript.NoBytesMakeItFail") {
  std::mt19937 random{20261121};  // NOLINT: the same bytes every time
  std::string const alphabet = "{}[]\":,\\ntrue0123456789e.-/@ \n\r\"type\":\"result\"";
  for (int round = 0; round < 300; ++round) {
    Reading r{round % 2 == 0 ? test::built_in("claude") : test::built_in("generic")};
    std::string bytes(random() % 3000, '\0');
    for (auto& c : bytes)
      c = round % 3 == 0 ? static_cast<char>(random()) : alphabet[random() % alphabet.size()];
    for (std::string_view rest = bytes; !rest.empty();) {
      auto const part = rest.substr(0, 1 + random() % 200);
      r.transcript.feed(random() % 5 == 0 ? OutputStream::err : OutputStream::out, part, r.on_line());
      rest.remove_prefix(part.size());
    }
    CHECK(r.end().result.size() <= 65536);
  }
}

TEST_CASE("Transcript.MutationsOfRealLinesDoNotMakeItFail") {
  std::mt19937 random{7};  // NOLINT: the same bytes every time
  std::string const line =
      R"({"type":"result","is_error":false,"result":"x","modelUsage":{"m":{"inputTokens":1e308,"outputTokens":-5}},"mcp_servers":[1,{"name":2}],"subtype":"init"})";
  for (int round = 0; round < 500; ++round) {
    auto changed = line;
    for (auto n = 1 + random() % 4; n > 0; --n)
      changed[random() % changed.size()] = line[random() % line.size()];
    Reading r{test::built_in("claude")};
    auto const s = r.line(changed).end();
    if (s.usage) CHECK(s.usage->output >= 0);
  }
}

TEST_CASE("Transcript.RetriedModelCallsOfGeminiAreNoSignOfLifeHoweverTheyFailed") {
  for (std::string_view const dump :
       {"Attempt 1 failed with status 503. Retrying with backoff... _ApiError: "
        "{\"error\":{\"message\":\"down\"}}\n"
        "    at throwErrorIfNotOK (file:///chunk.js:267833:24) {\n  status: 503\n}",
        "Attempt 2 failed. Retrying with backoff... TypeError: fetch failed\n    at "
        "node:internal/undici:14976:13 {\n"
        "  [cause]: TypeError: fetch failed\n      at file:///chunk.js:7:82 {\n    [cause]: Error: read "
        "ECONNRESET\n"
        "        at file:///chunk.js:7:134 {\n      errno: -104,\n      code: 'ECONNRESET',\n      syscall: "
        "'read'\n"
        "    }\n  }\n}",
        "Attempt 3 failed. Retrying with backoff... TypeError: fetch failed\n  [cause]: AggregateError "
        "[ECONNREFUSED]:\n"
        "      at internalConnectMultiple (node:net:1134:18) {\n    code: 'ECONNREFUSED',\n    [errors]: [\n"
        "      Error: connect ECONNREFUSED ::1:1\n        errno: -111,\n        address: '::1',\n        "
        "port: 1\n"
        "      },\n    ]\n  }\n}",
        "Attempt 4 failed with 5xx error. Retrying with backoff... Error: 502",
        "Attempt 5 failed: slow. Retrying after 900ms...",
        "Attempt 6 failed with 429 error (no Retry-After header). Retrying with backoff... Error: 429"}) {
    CAPTURE(std::string{dump});
    Reading r{test::built_in("gemini")};
    r.transcript.feed(OutputStream::err, std::string{dump} + "\n", r.on_line());
    CHECK(r.transcript.lines() == r.transcript.quiet_lines());
    CHECK(r.transcript.progress() == 0);
  }
}

TEST_CASE("Transcript.WhatAnAgentSaysBetweenItsRetriesIsASignOfLife") {
  Reading r{test::built_in("gemini")};
  r.transcript.feed(OutputStream::err, "Attempt 1 failed. Retrying with backoff...\n", r.on_line());
  r.line(R"({"type":"message","role":"assistant","content":"Let us see.","delta":true})");
  CHECK(r.transcript.lines() == r.transcript.quiet_lines() + 1);
}

TEST_CASE("Transcript.ALimitIsNamedByNumberWordsOrRest") {
  Reading own{*test::profile_from(
      R"({"schema":1,"id":"t","argv":["t"],"output":{"kind":"text","rules":[)"
      R"({"regex":"^AT (?<resets_at>.*)$","emit":"limit"},{"regex":"^IN (?<resets_in>.*)$","emit":"limit"},)"
      R"({"regex":"^USED (?<window>[a-z]+) (?<used>[0-9.]+)$","emit":"limit","set":{"status":{"const":"allowed"}}}]}})")};
  auto const limit = [&] { return own.transcript.summary().limits.front(); };
  own.line("AT 4:20 PM");
  CHECK(limit().words == "4:20 PM");
  CHECK_FALSE(limit().resets_at);
  own.line("IN 90");
  CHECK(limit().resets_in == 90);
  CHECK(limit().words.empty());
  own.line("IN 5m");
  CHECK(limit().words == "5m");
  CHECK_FALSE(limit().resets_in);
  for (int i = 0; i < 100; ++i) own.line("USED " + std::string(static_cast<std::size_t>(i) + 1, 'w') + " 92");
  CHECK(own.transcript.summary().limits.size() == 8);
  CHECK(own.transcript.summary().limits.back().used == 0.92);
  CHECK_FALSE(own.transcript.summary().limits.back().is_reached);
}

TEST_CASE("Transcript.WorkThatAnyProgramLeavesOpenIsUnfinished") {
  std::string const profile =
      R"({"schema":1,"id":"t","argv":["t"],"output":{"kind":"text","rules":[)"
      R"({"regex":"^BEGIN (?<id>[a-z]+) (?<name>.*)$","emit":"background_start"},)"
      R"({"regex":"^END (?<id>[a-z]+) (?<status>[a-z]+)$","emit":"background_end"},)"
      R"({"regex":"^CALL (?<call>[a-z]+)$","emit":"tool_start"},{"regex":"^BACK (?<call>[a-z]+)$","emit":"tool_end"},)"
      R"({"regex":"^SAY (?<whole>.*)$","emit":"text"},{"regex":"^OK$","emit":"result","set":{"is_error":{"const":false}}}]}})";
  auto const left = [&](std::initializer_list<std::string_view> lines) {
    Reading own{*test::profile_from(profile)};
    for (auto const line : lines) own.line(line);
    return own.transcript.summary().unfinished;
  };
  CHECK(left({"OK"}).empty());
  CHECK(left({"BEGIN a make test", "OK"}).contains("1 task in the background: make test"));
  CHECK(left({"BEGIN a make test", "END a completed", "OK"}).empty());
  CHECK(left({"BEGIN a make test", "OK", "END a completed"}).empty());
  CHECK(left({"BEGIN a make test", "END a stopped", "OK"}).contains("1 task"));
  CHECK(left({"BEGIN a make test", "OK", "END a killed"}).contains("1 task"));
  CHECK(left({"BEGIN a make test", "END a stopped", "SAY it hangs", "OK"}).empty());
  CHECK(left({"END a stopped", "OK"}).empty());
  CHECK(left({"CALL a", "BACK a", "CALL b", "OK"}).contains("1 call of a tool"));
  CHECK(left({"CALL a", "BACK a", "OK"}).empty());
  // A program that reports no ends of its tools leaves none open.
  CHECK(left({"CALL a", "CALL b", "OK"}).empty());
}
