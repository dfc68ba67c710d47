#include <algorithm>
#include <array>

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "runner/profiles/expand.hpp"
#include "runner/profiles/profiles.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

/// The whole command line of a built-in profile.
struct CommandLine {
  std::string_view id;
  std::string_view permissions;
  bool resumes;
  std::string_view argv;
};

constexpr std::array kCommandLines{
    CommandLine{
        "claude", "edit", false,
        "claude -p --output-format stream-json --verbose --include-partial-messages --session-id NEW "
        "--append-system-prompt-file ROLE --model MODEL --effort high --permission-mode acceptEdits "
        "--allowedTools Bash(andon *) Bash(git add *) Bash(git commit *) Bash(git status *) Bash(git diff *) "
        "Bash(git log *)"},
    CommandLine{"claude", "ask", false,
                "claude -p --output-format stream-json --verbose --include-partial-messages --session-id NEW "
                "--append-system-prompt-file ROLE --model MODEL --effort high --permission-mode acceptEdits "
                "--allowedTools Bash(andon *) Bash(git add *) "
                "Bash(git commit *) Bash(git status *) Bash(git diff *) Bash(git log *)"},
    CommandLine{
        "claude", "full", true,
        "claude -p --output-format stream-json --verbose --include-partial-messages --resume OLD "
        "--append-system-prompt-file ROLE --model MODEL --effort high --dangerously-skip-permissions"},
    CommandLine{
        "codex", "edit", false,
        "codex exec --json --skip-git-repo-check -C CWD -m MODEL -c model_reasoning_effort=high -c "
        "check_for_update_on_startup=false -c shell_environment_policy.ignore_default_excludes=true -c "
        "allow_login_shell=false - -c sandbox_mode=\"workspace-write\" -c "
        "sandbox_workspace_write.network_access=true"},
    CommandLine{
        "codex", "full", true,
        "codex exec resume --json --skip-git-repo-check -m MODEL -c model_reasoning_effort=high -c "
        "check_for_update_on_startup=false -c shell_environment_policy.ignore_default_excludes=true -c "
        "allow_login_shell=false OLD - --dangerously-bypass-approvals-and-sandbox"},
    CommandLine{"gemini", "edit", false,
                "gemini -o stream-json --session-id NEW -m MODEL --approval-mode auto_edit --policy "
                "RUN/policy.toml"},
    CommandLine{"gemini", "full", true, "gemini -o stream-json -r OLD -m MODEL --approval-mode yolo"},
    CommandLine{"opencode", "readonly", false,
                "opencode run --format json -m MODEL --variant high --agent plan"},
    CommandLine{"opencode", "full", true, "opencode run --format json -s OLD -m MODEL --variant high --auto"},
    CommandLine{
        "copilot", "edit", false,
        "copilot --output-format json --no-ask-user --no-auto-update --session-id NEW --usage-output-file "
        "RUN/usage.json --model MODEL --effort high --allow-tool write --allow-tool shell(andon:*) "
        "--allow-tool shell(git add:*) --allow-tool shell(git commit:*)"},
    CommandLine{
        "copilot", "full", true,
        "copilot --output-format json --no-ask-user --no-auto-update --resume=OLD --usage-output-file "
        "RUN/usage.json --model MODEL --effort high --allow-all"},
    CommandLine{"cursor", "readonly", false,
                "cursor-agent -p --output-format stream-json --trust --workspace CWD --model MODEL"},
    CommandLine{
        "cursor", "full", true,
        "cursor-agent -p --output-format stream-json --trust --workspace CWD --resume OLD --model MODEL "
        "--force"},
    CommandLine{"amp", "edit", false, "amp -x --stream-json --no-ide -m MODEL"},
    CommandLine{"amp", "full", true,
                "amp threads continue OLD -x --stream-json --no-ide --dangerously-allow-all"},
    CommandLine{
        "aider", "edit", false,
        "aider --message-file PROMPT --read ROLE --yes-always --no-stream --no-pretty --no-check-update "
        "--analytics-disable --no-suggest-shell-commands --no-gitignore --chat-history-file "
        "RUN/aider.chat.md --input-history-file RUN/aider.input --model MODEL --reasoning-effort high"},
};

Variables a_run(bool resumes) {
  Variables variables;
  variables.texts = {{"model", "MODEL"},     {"effort", "high"},    {"cwd", "CWD"},
                     {"new_session", "NEW"}, {"file.role", "ROLE"}, {"file.prompt", "PROMPT"},
                     {"run.dir", "RUN"},     {"prompt", "Do it."}};
  if (resumes) variables.texts["session"] = "OLD";
  return variables;
}

std::string joined(std::vector<std::string> const& words) {
  std::string out;
  for (auto const& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

}  // namespace

TEST_CASE("BuiltInProfiles.AreAllThere") {
  ProfileBook const book{"/nowhere"};
  for (auto const& problem : book.problems())
    FAIL_CHECK(problem.file << problem.pointer << ": " << problem.reason);
  std::vector<std::string> ids;
  for (auto const* profile : book.profiles()) ids.push_back(profile->id);
  CHECK(ids == std::vector<std::string>{"aider", "amp", "claude", "codex", "copilot", "cursor", "gemini",
                                        "generic", "opencode"});
}

TEST_CASE("BuiltInProfiles.StartTheirProgramsAsWritten") {
  for (auto const& line : kCommandLines) {
    CAPTURE(line.id);
    CAPTURE(line.permissions);
    auto const invocation = expand(test::built_in(line.id), a_run(line.resumes), line.permissions);
    REQUIRE(invocation);
    CHECK(joined(invocation->argv) == line.argv);
  }
}

TEST_CASE("BuiltInProfiles.HandThePromptOverByStdinOrFile") {
  ProfileBook const book{"/nowhere"};
  for (auto const* profile : book.profiles()) {
    CAPTURE(profile->id);
    CHECK(profile->prompt.via == (profile->id == "aider" ? PromptVia::file : PromptVia::stdin_));
    CHECK_FALSE(profile->mcp.is_passed_at("edit"));
  }
}

TEST_CASE("BuiltInProfiles.EndWithKill") {
  ProfileBook const book{"/nowhere"};
  for (auto const* profile : book.profiles()) {
    CAPTURE(profile->id);
    auto const steps = stop_steps(profile->stop);
    REQUIRE(steps);
    CHECK(steps->back().signal == 9);
    CHECK(profile->exit.at("0") == ExitClass::ok);
    CHECK(profile->timeouts.silence_s > 0);
  }
}

TEST_CASE("BuiltInProfiles.GiveTheirSandboxToAProfileThatExtendsThem") {
  test::Scratch const scratch;
  ProfileBook const built_in{"/nowhere"};
  for (auto const* profile : built_in.profiles())
    os::write_file(scratch / (profile->id + ".json"), R"({"schema":1,"id":"my-)" + profile->id +
                                                          R"(","extends":")" + profile->id +
                                                          R"(","argv":["/bin/true"]})");
  ProfileBook const book{scratch.path()};
  for (auto const* profile : built_in.profiles()) {
    CAPTURE(profile->id);
    CHECK(profile->sandbox == Sandbox::automatic);
    auto const* mine = book.find("my-" + profile->id);
    REQUIRE(mine);
    CHECK(mine->sandbox == profile->sandbox);
    CHECK(mine->folders == profile->folders);
  }
}

TEST_CASE("BuiltInProfiles.DoNotUpdateThemselves") {
  CHECK(test::built_in("claude").env.contains("DISABLE_AUTOUPDATER"));
  CHECK(test::built_in("opencode").env.contains("OPENCODE_DISABLE_AUTOUPDATE"));
  CHECK(test::built_in("copilot").env.contains("COPILOT_AUTO_UPDATE"));
  CHECK(test::built_in("amp").env.contains("AMP_SKIP_UPDATE_CHECK"));
}

TEST_CASE("BuiltInProfiles.PassTheVariablesThatSignTheirProgramIn") {
  ProfileBook const book{"/nowhere"};
  for (auto const* profile : book.profiles())
    for (auto const& name : profile->detect.sign_in.env) {
      CAPTURE(name);
      CHECK(std::ranges::find(profile->env_pass, name) != profile->env_pass.end());
    }
}

TEST_CASE("BuiltInProfiles.GiveTheServerOfTheRunToAnAgentThatAsks") {
  CHECK(test::built_in("claude").mcp.is_passed_at("ask"));
  CHECK_FALSE(test::built_in("codex").mcp.is_passed_at("ask"));
}

TEST_CASE("BuiltInProfiles.RefuseALevelTheyDoNotHave") {
  for (auto const* id : {"codex", "gemini", "opencode", "copilot", "cursor", "amp", "aider"})
    CHECK_FALSE(expand(test::built_in(id), a_run(false), "ask"));
  auto const refused = expand(test::built_in("amp"), a_run(false), "readonly");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "agent profile \"amp\" has no permissions \"readonly\", only: edit, full");
}
