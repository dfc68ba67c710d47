#include <array>
#include <fstream>
#include <iterator>
#include <random>
#include <sys/stat.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include "cli/commands/cli.hpp"
#include "cli/commands/machine/hook_input.hpp"
#include "cli/commands/machine/hook_settings.hpp"

using andon::cli::claim_in_shell_line;
using andon::cli::with_hooks;
using andon::cli::without_hooks;
using andon::test::Cli;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

std::string settings_text(fs::path const& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

void put_text(fs::path const& file, std::string const& text) {
  fs::create_directories(file.parent_path());
  std::ofstream{file} << text;
}

/// Settings in any layout, with hooks of others.
class AnySettings {
 public:
  explicit AnySettings(unsigned seed) : chance_(seed) {}

  std::string text() {
    auto const hooks =
        "\"hooks\"" + gap() + ":" + gap() + object({member("Stop", list(entry())), member("Other", "[]")});
    auto const more = member("a\\\"]", value(3));
    return gap() + (chance_() % 2 == 0 ? object({hooks, more}) : object({more, hooks})) + gap();
  }

 private:
  std::string gap() {
    constexpr std::array<std::string_view, 6> kGaps{"", " ", "\n  ", "\t", "\r\n", "\n\n"};
    return std::string{kGaps[chance_() % kGaps.size()]};
  }
  std::string member(std::string const& key, std::string const& value) {
    return "\"" + key + "\"" + gap() + ":" + gap() + value;
  }
  std::string joined(std::vector<std::string> const& items) {
    std::string out = gap();
    for (auto const& item : items) out += (&item == &items.front() ? "" : "," + gap()) + item + gap();
    return out;
  }
  std::string object(std::vector<std::string> const& members) { return "{" + joined(members) + "}"; }
  std::string list(std::string const& item) { return "[" + joined({item, item}) + "]"; }
  std::string entry() { return object({member("hooks", list(object({member("command", value(0))})))}); }
  std::string value(int depth) {
    constexpr std::array<std::string_view, 6> kPlain{"null", "-1.50e3", "\"x,]}\\\\\"", "true", "[]", "{}"};
    auto const kind = chance_() % 8;
    if (depth == 0 || kind < kPlain.size()) return std::string{kPlain[kind % kPlain.size()]};
    return kind == 6 ? list(value(depth - 1))
                     : object({member("k", value(depth - 1)), member("", value(depth - 1))});
  }

  std::mt19937 chance_;
};

/// A board with two tasks in work, the first held by `calm-otter`, and a conversation beside it.
struct Session : Cli {
  Session() {
    fs::create_directories(project() / ".git");
    with_board().with_task("One").with_task("Two");
    (*this)({"move", "1", "in-progress", "--claim", "calm-otter"});
    (*this)({"move", "2", "in-progress", "--claim", "bold-lynx"});
  }

  andon::test::Outcome hook(std::string event, json::object input, std::vector<std::string> flags = {}) {
    input["session_id"] = session;
    std::vector<std::string> words{"hooks", "run", std::move(event)};
    words.insert(words.end(), flags.begin(), flags.end());
    return (*this)(words, json::serialize(input));
  }
  andon::test::Outcome shell(std::string const& command) {
    return hook("post-tool-use", {{"tool_name", "Bash"}, {"tool_input", {{"command", command}}}});
  }
  std::string expires(std::string const& id) {
    return std::string{(*this)({"show", id, "--json"}).json().at("claim_expires").as_string()};
  }

  std::string session = "s-1";
};

constexpr auto kName = "--claim=calm-otter";

}  // namespace

TEST_CASE("Hooks.ComeAndGoAndLeaveTheOtherBytes") {
  for (std::string const text : {
           "{\n  \"model\": \"opus\",\n  \"big\": 12345678901234567890123, \"x\": 1.50\n}\n",
           "{\"a\":[1,2],\"b\":{}}",
           "{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\"hooks\": [{\"type\": \"command\", \"command\": "
           "\"say done\"}]}\n"
           "\t\t],\n\t\t\"PreToolUse\": []\n\t},\n\t\"z\": null\n}",
           "{\r\n  \"h\\u006foks\": {\r\n    \"PostToolUse\": [{\"matcher\": \"Bash\", \"hooks\": []}]\r\n  "
           "}\r\n}\r\n",
           "  {\"hooks\" : {\"Stop\":[{\"hooks\":[{\"command\":\"x \\\" ]}\"}]}]} }  ",
       }) {
    INFO(text);
    auto const with = with_hooks(text, " --claim=calm-otter");
    REQUIRE(with.has_value());
    auto const parsed = json::parse(*with);
    auto const& hooks = parsed.at("hooks");
    auto const& last = hooks.at("Stop").as_array().back().at("hooks").at(0);
    CHECK(last.at("command") == "andon hooks run stop --claim=calm-otter || true");
    CHECK(hooks.at("PostToolUse").as_array().back().at("matcher") == "*");
    CHECK(hooks.at("SessionEnd").as_array().size() == 1);
    CHECK(with_hooks(*with, " --claim=calm-otter") == *with);
    CHECK(without_hooks(*with) == text);
    auto const other = with_hooks(*with, "");
    CHECK(!other->contains("calm-otter"));
    CHECK(without_hooks(*other) == text);
  }
}

TEST_CASE("Hooks.ComeAndGoInAnyLayout") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    auto const text = AnySettings{seed}.text();
    INFO(text);
    auto const with = with_hooks(text, "");
    REQUIRE(with.has_value());
    CHECK(json::parse(*with).at("hooks").as_object().size() == 4);
    CHECK(with_hooks(*with, "") == *with);
    CHECK(without_hooks(*with) == text);
  }
}

TEST_CASE("Hooks.AreTakenFromEntriesTheyShare") {
  std::string const shared =
      R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}, )"
      R"({"type": "command", "command": "/opt/bin/andon hooks run stop"}]}], "PreToolUse": []}})";
  CHECK(without_hooks(shared) ==
        R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}], "PreToolUse": []}})");
  std::string const similar = R"({"hooks": {"Stop": [{"hooks": [{"command": "andon hooks install"}]}]}})";
  CHECK(without_hooks(similar) == similar);
}

TEST_CASE("Hooks.RefuseSettingsOfAnotherForm") {
  for (std::string const text : {"[]", "3", "{\"hooks\": []}", "{\"hooks\": {\"Stop\": {}}}", "{\"a\": 1,}",
                                 "{\"a\": 1, \"a\": 2}", "// no\n{}", "{\"hooks\": {}} x"}) {
    INFO(text);
    CHECK(!with_hooks(text, ""));
    CHECK(!without_hooks(text));
  }
  CHECK(with_hooks("{\"a\": 1,}", "").error().message.contains("(at byte 8)"));
}

TEST_CASE("Hooks.AreInstalledOnceAndRemoved") {
  Session cli;
  auto const file = cli.project() / ".claude/settings.local.json";
  CHECK(cli({"hooks", "install", "--claim", "calm-otter"}).out ==
        "Installed the hooks in .claude/settings.local.json\n");
  auto const first = settings_text(file);
  CHECK(json::parse(first) == cli({"hooks", "show", "--claim", "calm-otter"}).json());
  CHECK(cli({"hooks", "install", "--claim", "calm-otter"}).out ==
        "The hooks are in .claude/settings.local.json already\n");
  CHECK(settings_text(file) == first);
  CHECK(cli({"hooks", "remove"}).out == "Removed the hooks from .claude/settings.local.json\n");
  CHECK(json::parse(settings_text(file)) == json::object{});
  CHECK(cli({"hooks", "remove"}).out == "There are no hooks of Andon in .claude/settings.local.json\n");
}

TEST_CASE("Hooks.HaveTheirPlaceInTheSettingsThatWereAskedFor") {
  Session cli;
  cli({"hooks", "install", "--shared"});
  CHECK(fs::exists(cli.project() / ".claude/settings.json"));
  cli({"hooks", "install", "--user"});
  CHECK(fs::exists(fs::path{cli.variables["HOME"]} / ".claude/settings.json"));
  cli({"hooks", "install", "--to", "mine.json"});
  CHECK(fs::exists(cli.project() / "mine.json"));
  CHECK(cli({"hooks", "install", "--to", "a.json", "--user"}).code != 0);
  CHECK(cli({"hooks", "install", "--claim", "a\nb"}).code != 0);
  auto const odd = cli({"hooks", "show", "--claim", "it's; rm -rf /"}).json();
  CHECK(odd.at("hooks").at("Stop").at(0).at("hooks").at(0).at("command") ==
        "andon hooks run stop --claim='it'\\''s; rm -rf /' || true");
}

TEST_CASE("Hooks.LeaveBrokenSettingsAndKeepLinksAndModes") {
  Session cli;
  auto const file = cli.project() / ".claude/settings.local.json";
  put_text(file, "{\"hooks\": {,}}");
  auto const refused = cli({"hooks", "install"});
  CHECK(refused.code != 0);
  CHECK(refused.err.contains(".claude/settings.local.json: "));
  CHECK(refused.err.contains("(at byte 11); nothing was written"));
  CHECK(settings_text(file) == "{\"hooks\": {,}}");
  auto const real = cli.project() / "dotfiles.json";
  put_text(real, "{}");
  ::chmod(real.c_str(), 0640);
  fs::remove(file);
  fs::create_symlink("../dotfiles.json", file);
  cli({"hooks", "install"});
  CHECK(fs::is_symlink(file));
  CHECK(settings_text(real).contains("andon hooks run stop"));
  CHECK((static_cast<unsigned>(fs::status(real).permissions()) & 0777U) == 0640U);
}

TEST_CASE("HookInput.FindsTheNameInTheAgentsCommands") {
  auto const name = [](std::string_view line) {
    auto const claim = claim_in_shell_line(line);
    return !claim ? "none" : claim->is_caller ? "caller" : claim->name;
  };
  CHECK(name("andon pick --claim calm-otter --move in-progress") == "calm-otter");
  CHECK(name("cd /x && kanban-md edit 3 --claim='calm-otter' -t") == "calm-otter");
  CHECK(name("NAME=calm-otter; ./bin/andon move 3 --next --claim \"$NAME\"") == "calm-otter");
  CHECK(name("export NAME=calm-otter && andon move 3 done --claim ${NAME}") == "calm-otter");
  CHECK(name("andon pick --claim a1; andon edit 2 --claim b2") == "b2");
  CHECK(name("andon claim 3") == "caller");
  CHECK(name("NAME=$(andon agent-name); andon pick --claim $NAME") == "none");
  CHECK(name("echo --claim x") == "none");
  CHECK(name("andon list; other --claim x") == "none");
  CHECK(name("andon pick --claim") == "caller");
  CHECK(name("andon edit 3 --claim '../../x'") == "none");
  CHECK(name("andon pick \\\n  --claim calm-otter") == "calm-otter");
  CHECK(name("cd x\nandon pick --claim calm-otter\nls") == "calm-otter");
  CHECK(name("ANDON_DIR=/x andon pick --claim calm-otter") == "calm-otter");
  CHECK(name("(andon pick --claim calm-otter | tee log)") == "calm-otter");
  CHECK(name("if ! andon pick --claim calm-otter; then exit; fi") == "calm-otter");
  CHECK(name("git commit -m 'andon pick --claim x'") == "none");
  CHECK(name("echo \"a; andon pick --claim x\"") == "none");
  CHECK(name("grep andon docs --claim x") == "none");
  CHECK(name("andon note 3 \"it's --claim x\" --claim y") == "y");
  CHECK(name("andon pick --claim \"") == "caller");
  CHECK(name("andon pick \\") == "caller");
  CHECK(name("") == "none");
}

TEST_CASE("Hook.RenewsTheClaimsOfItsAgentOnceAMinute") {
  Session cli;
  auto const other = cli.expires("2");
  auto before = cli.expires("1");
  cli.clock.advance(std::chrono::minutes{10});
  auto const done = cli.hook("post-tool-use", {{"tool_name", "Read"}}, {kName});
  CHECK(done.code == 0);
  CHECK((done.out + done.err).empty());
  auto renewed = cli.expires("1");
  CHECK(renewed > before);
  CHECK(cli.expires("2") == other);
  cli.clock.advance(std::chrono::seconds{59});
  cli.hook("post-tool-use", {}, {kName});
  CHECK(cli.expires("1") == renewed);
  cli.clock.advance(std::chrono::seconds{1});
  cli.hook("post-tool-use", {}, {kName});
  CHECK(cli.expires("1") > renewed);
}

TEST_CASE("Hook.KnowsTheNameThatTheAgentUses") {
  Session cli;
  auto const before = cli.expires("1");
  cli.clock.advance(std::chrono::minutes{10});
  cli.hook("post-tool-use", {{"tool_name", "Read"}});
  CHECK(cli.expires("1") == before);
  cli.shell("andon edit 1 -a x --claim calm-otter");
  auto const renewed = cli.expires("1");
  CHECK(renewed > before);
  cli.clock.advance(std::chrono::minutes{2});
  cli.hook("post-tool-use", {{"tool_name", "Read"}});
  CHECK(cli.expires("1") > renewed);
}

TEST_CASE("Hook.KnowsTheCallerOfItsTools") {
  Session cli;
  cli({"edit", "1", "--release"});
  cli({"claim", "1"});
  auto const before = cli.expires("1");
  cli.clock.advance(std::chrono::minutes{10});
  cli.hook("post-tool-use", {{"tool_name", "mcp__board__pick_task"}, {"tool_input", json::object{}}});
  CHECK(cli.expires("1") > before);
}

TEST_CASE("Hook.DoesNotReviveAClaimThatIsOver") {
  Session cli;
  cli.clock.advance(std::chrono::hours{2});
  cli.hook("post-tool-use", {}, {kName});
  CHECK(!cli({"show", "1", "--json"}).json().as_object().contains("claimed_by"));
}

TEST_CASE("Hook.RemindsOnceOfUnreportedWork") {
  Session cli;
  auto const said = cli.hook("stop", {{"stop_hook_active", false}}, {kName});
  CHECK(said.code == 0);
  auto const answer = said.json();
  CHECK(answer.as_object().size() == 2);
  CHECK(answer.at("decision") == "block");
  CHECK(std::string{answer.at("reason").as_string()}.contains("#1 "));
  CHECK(cli.hook("stop", {{"stop_hook_active", false}}, {kName}).out.empty());
  cli.session = "s-2";
  CHECK(cli.hook("stop", {{"stop_hook_active", true}}, {kName}).out.empty());
  CHECK(cli.hook("stop", {{"stop_hook_active", "odd"}}, {kName}).out.empty());
  CHECK(!cli.hook("stop", {}, {kName}).out.empty());
}

TEST_CASE("Hook.SaysNothingOfReportedWork") {
  Session cli;
  cli({"move", "1", "review", "--claim", "calm-otter"});
  CHECK(cli.hook("stop", {}, {kName}).out.empty());
  cli({"edit", "2", "--block", "no key", "--claim", "bold-lynx"});
  CHECK(cli.hook("stop", {}, {"--claim", "bold-lynx"}).out.empty());
  CHECK(cli.hook("stop", {}, {"--claim", "nobody"}).out.empty());
  CHECK(cli.hook("stop", {}).out.empty());
}

TEST_CASE("Hook.RenewsTheTaskOfItsRunAndNoOther") {
  Session cli;
  auto const before = cli.expires("1");
  auto const other = cli.expires("2");
  cli.variables["ANDON_TASK"] = "1";
  cli.variables["ANDON_EPOCH"] = std::to_string(cli({"show", "1", "--json"}).json().at("epoch").as_int64());
  cli.clock.advance(std::chrono::minutes{10});
  cli.hook("post-tool-use", {}, {"--claim", "bold-lynx"});
  CHECK(cli.expires("1") > before);
  CHECK(cli.expires("2") == other);
  auto const said = cli.hook("stop", {});
  CHECK(std::string{said.json().at("reason").as_string()}.starts_with("Task #1 is not reported yet."));
  cli.session = "s-2";
  cli.variables["ANDON_EPOCH"] = "999";
  auto const stale = cli.hook("stop", {});
  CHECK((stale.out + stale.err).empty());
}

TEST_CASE("Hook.DoesNothingWithBadInput") {
  Session cli;
  auto const before = cli.expires("1");
  cli.clock.advance(std::chrono::minutes{10});
  for (std::string const input :
       {"", "{", "[]", "{}", R"({"session_id": 3})", R"({"session_id": ""})", "\xff\xfe"}) {
    auto const done = cli({"hooks", "run", "stop", kName}, input);
    CHECK(done.code == 0);
    CHECK((done.out + done.err).empty());
  }
  cli({"hooks", "run", "post-tool-use", kName},
      R"({"session_id": "x", "tool_response": ")" + std::string(2U << 20U, 'a') + "\"}");
  CHECK(cli({"hooks", "run"}, "{}").code == 0);
  CHECK(cli({"hooks", "run", "nonsense"}, R"({"session_id": "x"})").code == 0);
  CHECK(cli.expires("1") == before);
}

TEST_CASE("Hook.TakesAnySessionAndAnyMemory") {
  Session cli;
  auto const folder = fs::path{cli.variables["HOME"]} / ".local/state/andon/hooks";
  cli.session = "../../../escape\n";
  cli.hook("post-tool-use", {}, {kName});
  std::vector<fs::path> files{fs::directory_iterator{folder}, {}};
  REQUIRE(files.size() == 1);
  CHECK(files.front().filename().native().size() == 32);
  for (std::string const memory :
       {"", "{", "[]", R"({"asked": 9223372036854775807})", R"({"asked": -5, "reminded": "x"})",
        R"({"name": "--dir=/etc"})", R"({"name": "a\nb", "asked": 0})"}) {
    INFO(memory);
    put_text(files.front(), memory);
    cli.clock.advance(std::chrono::minutes{5});
    auto const before = cli.expires("1");
    auto const done = cli.hook("post-tool-use", {}, {kName});
    CHECK((done.out + done.err).empty());
    CHECK(cli.expires("1") > before);
  }
  cli.hook("session-end", {{"reason", "exit"}});
  CHECK(!fs::exists(files.front()));
}

TEST_CASE("Hook.AsksNothingWhereItCannotRemember") {
  Session cli;
  put_text(fs::path{cli.variables["HOME"]} / ".local/state", "a file");
  auto const before = cli.expires("1");
  cli.clock.advance(std::chrono::minutes{10});
  CHECK(cli.hook("post-tool-use", {}, {kName}).code == 0);
  CHECK(cli.hook("stop", {}, {kName}).out.empty());
  CHECK(cli.expires("1") == before);
}

TEST_CASE("Hook.WaitsAMinuteAfterAServerThatDidNotAnswer") {
  Session cli;
  int tries = 0;
  cli.variables["ANDON_URL"] = "http://127.0.0.1:1";
  cli.transport =
      [&](andon::cli::Address const&) -> andon::core::Result<std::unique_ptr<andon::api::Transport>> {
    ++tries;
    return andon::core::refuse(andon::core::Code::kBusy, "away");
  };
  CHECK((cli.hook("post-tool-use", {}, {kName}).out).empty());
  CHECK(tries == 1);
  cli.hook("post-tool-use", {}, {kName});
  cli.hook("stop", {}, {kName});
  CHECK(tries == 1);
  cli.clock.advance(std::chrono::minutes{1});
  cli.hook("stop", {}, {kName});
  CHECK(tries == 2);
}
