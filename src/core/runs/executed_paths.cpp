// Files that are executed, or obeyed, by a program that nobody started for them: a push starts the CI, a
// commit starts hooks, an editor runs the tasks of the folder it opens, an agent follows the instructions it
// finds. The names are those of the programs' own documentation, which each group names. A board adds names
// of its own with `land_limits.check_paths`.
#include "core/runs/executed_paths.hpp"

#include <algorithm>
#include <array>

#include "core/runs/path_pattern.hpp"

namespace andon::core {
namespace {

struct ExecutedRow {
  std::string_view by;
  PathPart part;
  std::string_view pattern;  ///< in small letters; `*` stands for any bytes within a segment
};

constexpr std::string_view kCi = "CI";
constexpr std::string_view kHooks = "git hooks";
constexpr std::string_view kGit = "git";
constexpr std::string_view kAgents = "AI agents";
constexpr std::string_view kEditors = "editors";
constexpr std::string_view kContainers = "containers";
constexpr std::string_view kShells = "shells";
constexpr std::string_view kPackages = "package managers";
constexpr std::string_view kTests = "test runners";

constexpr auto executed_rows() {
  using enum PathPart;
  return std::array{
      // clang-format off
      // GitHub, GitLab, Gitea, Forgejo, CircleCI, Buildkite, TeamCity, Woodpecker, Travis, Jenkins, Azure,
      // Bitbucket, Drone, AppVeyor, Cirrus, Google Cloud Build, AWS CodeBuild, Codefresh, Semaphore, Concourse.
      ExecutedRow{kCi, folder, ".github"},            ExecutedRow{kCi, folder, ".gitlab"},
      ExecutedRow{kCi, folder, ".gitea"},             ExecutedRow{kCi, folder, ".forgejo"},
      ExecutedRow{kCi, folder, ".circleci"},          ExecutedRow{kCi, folder, ".buildkite"},
      ExecutedRow{kCi, folder, ".teamcity"},          ExecutedRow{kCi, top, ".woodpecker"},
      ExecutedRow{kCi, folder, ".semaphore"},         ExecutedRow{kCi, folder, ".tekton"},
      ExecutedRow{kCi, folder, ".ci"},                ExecutedRow{kCi, name, "*.gitlab-ci.yml"},
      ExecutedRow{kCi, name, ".travis.yml"},          ExecutedRow{kCi, name, "jenkinsfile*"},
      ExecutedRow{kCi, name, "azure-pipelines*.yml"}, ExecutedRow{kCi, name, "bitbucket-pipelines.yml"},
      ExecutedRow{kCi, name, ".drone.yml"},           ExecutedRow{kCi, name, "*appveyor.yml"},
      ExecutedRow{kCi, name, ".cirrus.yml"},          ExecutedRow{kCi, name, ".cirrus.star"},
      ExecutedRow{kCi, name, "cloudbuild.y*ml"},      ExecutedRow{kCi, name, "buildspec.y*ml"},
      ExecutedRow{kCi, name, "codefresh.yml"},        ExecutedRow{kCi, name, "codeowners"},
      ExecutedRow{kCi, name, "renovate.json*"},       ExecutedRow{kCi, name, ".renovaterc*"},
      ExecutedRow{kCi, name, ".codecov.yml"},         ExecutedRow{kCi, name, "codecov.yml"},
      ExecutedRow{kCi, name, "sonar-project.properties"},

      // pre-commit, Husky, Lefthook, Overcommit, lint-staged, git-hooks.
      ExecutedRow{kHooks, folder, ".husky"},          ExecutedRow{kHooks, folder, ".githooks"},
      ExecutedRow{kHooks, folder, ".git-hooks"},      ExecutedRow{kHooks, folder, "githooks"},
      ExecutedRow{kHooks, folder, ".hooks"},
      ExecutedRow{kHooks, name, ".pre-commit-config.y*ml"}, ExecutedRow{kHooks, name, ".pre-commit-hooks.y*ml"},
      ExecutedRow{kHooks, name, "*lefthook*.yml"},    ExecutedRow{kHooks, name, "*lefthook*.yaml"},
      ExecutedRow{kHooks, name, "*lefthook*.toml"},   ExecutedRow{kHooks, name, ".overcommit.yml"},
      ExecutedRow{kHooks, name, ".huskyrc*"},         ExecutedRow{kHooks, name, "husky.config.*"},
      ExecutedRow{kHooks, name, ".lintstagedrc*"},    ExecutedRow{kHooks, name, "lint-staged.config.*"},
      ExecutedRow{kHooks, name, ".simple-git-hooks.*"}, ExecutedRow{kHooks, name, "simple-git-hooks.*"},
      ExecutedRow{kHooks, name, ".gitleaks.toml"},    ExecutedRow{kHooks, name, ".gitleaksignore"},
      ExecutedRow{kHooks, name, ".secrets.baseline"},

      // gitattributes(5), githooks(5), git-config(1): filters, merge drivers and text conversions.
      ExecutedRow{kGit, name, ".gitattributes"},      ExecutedRow{kGit, name, ".gitconfig"},
      ExecutedRow{kGit, name, ".lfsconfig"},          ExecutedRow{kGit, name, ".gitallowed"},

      // Claude Code, Codex, Cursor, Windsurf, Cline, Roo, Copilot, Gemini, Aider, Continue, Kiro, Amp, Zed,
      // Goose, OpenHands, Junie, Qwen, MCP, agent skills, and Andon's own team files.
      ExecutedRow{kAgents, folder, ".claude"},        ExecutedRow{kAgents, folder, ".claude-plugin"},
      ExecutedRow{kAgents, name, "claude.md"},        ExecutedRow{kAgents, name, "claude.local.md"},
      ExecutedRow{kAgents, name, "agents.md"},        ExecutedRow{kAgents, name, "agents.override.md"},
      ExecutedRow{kAgents, name, "agent.md"},         ExecutedRow{kAgents, name, "gemini.md"},
      ExecutedRow{kAgents, name, "qwen.md"},          ExecutedRow{kAgents, name, "skill.md"},
      ExecutedRow{kAgents, name, ".mcp.json"},        ExecutedRow{kAgents, name, "mcp.json"},
      ExecutedRow{kAgents, folder, ".codex"},         ExecutedRow{kAgents, folder, ".agents"},
      ExecutedRow{kAgents, folder, ".cursor"},        ExecutedRow{kAgents, name, ".cursorrules"},
      ExecutedRow{kAgents, name, ".cursorignore"},    ExecutedRow{kAgents, folder, ".windsurf"},
      ExecutedRow{kAgents, name, ".windsurfrules"},   ExecutedRow{kAgents, folder, ".clinerules"},
      ExecutedRow{kAgents, name, ".clinerules*"},     ExecutedRow{kAgents, folder, ".cline"},
      ExecutedRow{kAgents, folder, ".roo"},           ExecutedRow{kAgents, name, ".roo*"},
      ExecutedRow{kAgents, folder, ".gemini"},        ExecutedRow{kAgents, folder, ".qwen"},
      ExecutedRow{kAgents, name, ".aider*"},          ExecutedRow{kAgents, folder, ".continue"},
      ExecutedRow{kAgents, folder, ".kiro"},          ExecutedRow{kAgents, folder, ".amp"},
      ExecutedRow{kAgents, folder, ".amazonq"},       ExecutedRow{kAgents, folder, ".augment"},
      ExecutedRow{kAgents, name, ".goosehints"},      ExecutedRow{kAgents, folder, ".goose"},
      ExecutedRow{kAgents, folder, ".openhands"},     ExecutedRow{kAgents, folder, ".junie"},
      ExecutedRow{kAgents, folder, ".opencode"},      ExecutedRow{kAgents, name, "opencode.json*"},
      ExecutedRow{kAgents, folder, ".crush"},         ExecutedRow{kAgents, name, "crush.json"},
      ExecutedRow{kAgents, name, ".rules"},           ExecutedRow{kAgents, name, "copilot-instructions.md"},
      ExecutedRow{kAgents, name, "*.instructions.md"}, ExecutedRow{kAgents, name, "*.chatmode.md"},
      ExecutedRow{kAgents, name, "*.prompt.md"},      ExecutedRow{kAgents, folder, ".andon"},
      ExecutedRow{kAgents, name, "andon.y*ml"},

      // Visual Studio Code (tasks, launch, settings, extensions), JetBrains, Vim, Emacs, Zed, Sublime, Nova.
      ExecutedRow{kEditors, folder, ".vscode"},       ExecutedRow{kEditors, name, "*.code-workspace"},
      ExecutedRow{kEditors, end, ".idea/workspace.xml"}, ExecutedRow{kEditors, folder, "runconfigurations"},
      ExecutedRow{kEditors, folder, ".run"},          ExecutedRow{kEditors, folder, ".fleet"},
      ExecutedRow{kEditors, folder, ".zed"},          ExecutedRow{kEditors, name, ".exrc"},
      ExecutedRow{kEditors, name, ".vimrc"},          ExecutedRow{kEditors, name, ".nvimrc"},
      ExecutedRow{kEditors, name, ".nvim.lua"},       ExecutedRow{kEditors, name, ".lvimrc"},
      ExecutedRow{kEditors, name, ".local.vimrc"},    ExecutedRow{kEditors, name, ".dir-locals*.el"},
      ExecutedRow{kEditors, name, "*.sublime-project"}, ExecutedRow{kEditors, folder, ".nova"},
      ExecutedRow{kEditors, folder, ".theia"},        ExecutedRow{kEditors, folder, ".vs"},

      // The development container specification, GitHub Codespaces, Gitpod, Vagrant, Tilt, Skaffold.
      ExecutedRow{kContainers, folder, ".devcontainer"}, ExecutedRow{kContainers, name, ".devcontainer.json"},
      ExecutedRow{kContainers, name, "devcontainer.json"}, ExecutedRow{kContainers, name, ".gitpod.*"},
      ExecutedRow{kContainers, name, ".replit"},      ExecutedRow{kContainers, name, "vagrantfile"},
      ExecutedRow{kContainers, name, "tiltfile"},     ExecutedRow{kContainers, folder, ".codesandbox"},
      ExecutedRow{kContainers, folder, ".stackblitz*"}, ExecutedRow{kContainers, name, ".stackblitzrc"},
      ExecutedRow{kContainers, folder, ".jules"},     ExecutedRow{kContainers, name, "devbox.json"},
      ExecutedRow{kContainers, name, "devenv.nix"},

      // direnv, mise, asdf, rtx, zsh and bash start files that a folder may hold.
      ExecutedRow{kShells, name, ".envrc*"},          ExecutedRow{kShells, name, "*mise.toml"},
      ExecutedRow{kShells, name, "*mise.*.toml"},     ExecutedRow{kShells, folder, ".mise"},
      ExecutedRow{kShells, name, ".rtx.toml"},
      ExecutedRow{kShells, name, ".autoenv*"},        ExecutedRow{kShells, name, ".bashrc"},
      ExecutedRow{kShells, name, ".bash_profile"},    ExecutedRow{kShells, name, ".profile"},
      ExecutedRow{kShells, name, ".zshrc"},           ExecutedRow{kShells, name, ".zshenv"},
      ExecutedRow{kShells, name, ".inputrc"},         ExecutedRow{kShells, name, ".tmux.conf"},
      ExecutedRow{kShells, name, "profile.ps1"},      ExecutedRow{kShells, name, "desktop.ini"},
      ExecutedRow{kShells, name, "autorun.inf"},

      // npm, Yarn, pnpm, Bun, pip, uv, Poetry, conda, Cargo, Go, Bundler, Composer, NuGet, Gradle, Maven, Bazel.
      ExecutedRow{kPackages, name, ".npmrc"},         ExecutedRow{kPackages, name, ".yarnrc*"},
      ExecutedRow{kPackages, folder, ".yarn"},        ExecutedRow{kPackages, name, ".pnpmfile.*js"},
      ExecutedRow{kPackages, name, "pnpmfile.*js"},   ExecutedRow{kPackages, name, ".pnp.*js"},
      ExecutedRow{kPackages, name, "bunfig.toml"},    ExecutedRow{kPackages, name, "pip.conf"},
      ExecutedRow{kPackages, name, "uv.toml"},        ExecutedRow{kPackages, name, "poetry.toml"},
      ExecutedRow{kPackages, name, ".condarc"},       ExecutedRow{kPackages, name, "sitecustomize.py"},
      ExecutedRow{kPackages, name, "usercustomize.py"}, ExecutedRow{kPackages, name, "*.pth"},
      ExecutedRow{kPackages, name, "setup.py"},       ExecutedRow{kPackages, folder, ".cargo"},
      ExecutedRow{kPackages, name, "build.rs"},       ExecutedRow{kPackages, name, "rust-toolchain*"},
      ExecutedRow{kPackages, name, "go.work"},        ExecutedRow{kPackages, folder, ".bundle"},
      ExecutedRow{kPackages, name, "extconf.rb"},
      ExecutedRow{kPackages, name, "nuget.config"},   ExecutedRow{kPackages, name, "directory.build.*"},
      ExecutedRow{kPackages, name, "gradlew*"},       ExecutedRow{kPackages, end, "gradle/wrapper/gradle-wrapper.jar"},
      ExecutedRow{kPackages, end, "gradle/wrapper/gradle-wrapper.properties"},
      ExecutedRow{kPackages, name, "init.gradle*"},   ExecutedRow{kPackages, folder, ".mvn"},
      ExecutedRow{kPackages, name, "mvnw*"},          ExecutedRow{kPackages, name, ".bazelrc"},
      ExecutedRow{kPackages, name, ".bazelversion"},  ExecutedRow{kPackages, name, "binding.gyp"},
      ExecutedRow{kPackages, name, "lerna.json"},

      // pytest, tox, nox, Jest, Vitest, Mocha, Karma, Ava, Playwright, Cypress, PHPUnit, RSpec, CTest,
      // JUnit, coverage tools: files that say which tests are run and how they are judged.
      ExecutedRow{kTests, name, "conftest.py"},       ExecutedRow{kTests, name, "pytest.ini"},
      ExecutedRow{kTests, name, ".pytest.ini"},       ExecutedRow{kTests, name, "tox.ini"},
      ExecutedRow{kTests, name, "noxfile.py"},        ExecutedRow{kTests, name, "jest.config.*"},
      ExecutedRow{kTests, name, "jest.setup.*"},      ExecutedRow{kTests, name, "vitest.config.*"},
      ExecutedRow{kTests, name, "vitest.setup.*"},    ExecutedRow{kTests, name, "vitest.workspace.*"},
      ExecutedRow{kTests, name, ".mocharc*"},         ExecutedRow{kTests, name, "mocha.opts"},
      ExecutedRow{kTests, name, "karma.conf.*"},      ExecutedRow{kTests, name, "ava.config.*"},
      ExecutedRow{kTests, name, "playwright.config.*"}, ExecutedRow{kTests, name, "cypress.config.*"},
      ExecutedRow{kTests, name, "cypress.json"},      ExecutedRow{kTests, name, "wdio.conf.*"},
      ExecutedRow{kTests, name, "phpunit*.xml*"},     ExecutedRow{kTests, name, "pest.php"},
      ExecutedRow{kTests, name, ".rspec*"},           ExecutedRow{kTests, name, "spec_helper.rb"},
      ExecutedRow{kTests, name, "rails_helper.rb"},   ExecutedRow{kTests, name, "ctesttestfile.cmake"},
      ExecutedRow{kTests, name, "ctestcustom.cmake*"}, ExecutedRow{kTests, name, "junit-platform.properties"},
      ExecutedRow{kTests, name, ".nycrc*"},           ExecutedRow{kTests, name, ".c8rc*"},
      ExecutedRow{kTests, name, ".coveragerc"},       ExecutedRow{kTests, name, ".taprc"},
      ExecutedRow{kTests, end, ".config/nextest.toml"}, ExecutedRow{kTests, name, "behave.ini"},
      ExecutedRow{kTests, name, "nightwatch.conf.*"}, ExecutedRow{kTests, name, "testng*.xml"},
      // clang-format on
  };
}
constexpr auto kExecuted = executed_rows();

/// Parts of folders above that no program executes.
constexpr std::array<std::string_view, 8> kTextOfHosts{
    "issue_template*", "discussion_template*", "funding.yml", "pull_request_template*",
    "readme*",         "contributing.md",      "security.md", "code_of_conduct.md"};

constexpr std::array kTools{
    // clang-format off
    ToolFiles{"make", "makefile"},         ToolFiles{"make", "gnumakefile"},     ToolFiles{"make", "*.mk"},
    ToolFiles{"make", "makefile.*"},       ToolFiles{"gmake", "makefile"},       ToolFiles{"gmake", "*.mk"},
    ToolFiles{"just", "*justfile"},        ToolFiles{"task", "taskfile.y*ml"},   ToolFiles{"rake", "rakefile"},
    ToolFiles{"rake", "*.rake"},           ToolFiles{"ninja", "build.ninja"},    ToolFiles{"scons", "sconstruct"},
    ToolFiles{"invoke", "tasks.py"},       ToolFiles{"grunt", "gruntfile.*"},    ToolFiles{"gulp", "gulpfile.*"},
    ToolFiles{"nx", "nx.json"},            ToolFiles{"nx", "project.json"},      ToolFiles{"turbo", "turbo.json"},
    ToolFiles{"cargo", "clippy.toml"},     ToolFiles{"cargo", "rustfmt.toml"},   ToolFiles{"deno", "deno.json*"},
    ToolFiles{"eslint", "eslint.config.*"}, ToolFiles{"eslint", ".eslintrc*"},   ToolFiles{"eslint", ".eslintignore"},
    ToolFiles{"prettier", ".prettierrc*"}, ToolFiles{"prettier", "prettier.config.*"},
    ToolFiles{"prettier", ".prettierignore"}, ToolFiles{"tsc", "tsconfig*.json"}, ToolFiles{"vue-tsc", "tsconfig*.json"},
    ToolFiles{"svelte-check", "tsconfig*.json"}, ToolFiles{"biome", "biome.json*"}, ToolFiles{"oxlint", ".oxlintrc*"},
    ToolFiles{"stylelint", "*stylelint*"}, ToolFiles{"ruff", "*ruff.toml"},      ToolFiles{"mypy", "*mypy.ini"},
    ToolFiles{"pyright", "pyrightconfig.json"}, ToolFiles{"flake8", ".flake8"},  ToolFiles{"pylint", "*pylintrc*"},
    ToolFiles{"golangci-lint", ".golangci.*"}, ToolFiles{"rubocop", ".rubocop*"}, ToolFiles{"phpstan", "phpstan*"},
    ToolFiles{"psalm", "psalm.xml*"},      ToolFiles{"shellcheck", ".shellcheckrc"}, ToolFiles{"clang-tidy", ".clang-tidy"},
    ToolFiles{"checkstyle", "checkstyle*.xml"}, ToolFiles{"detekt", "detekt*.yml"}, ToolFiles{"swiftlint", ".swiftlint.yml"},
    ToolFiles{"ktlint", ".editorconfig"},  ToolFiles{"hadolint", ".hadolint*"},  ToolFiles{"yamllint", ".yamllint*"},
    ToolFiles{"markdownlint", ".markdownlint*"}, ToolFiles{"cspell", "*cspell*"}, ToolFiles{"vite", "vite.config.*"},
    ToolFiles{"vitest", "vite.config.*"},  ToolFiles{"webpack", "webpack.config.*"}, ToolFiles{"jest", "babel.config.*"},
    ToolFiles{"jest", ".babelrc*"},        ToolFiles{"knip", "knip.*"},          ToolFiles{"import-linter", ".importlinter"},
    ToolFiles{"semgrep", ".semgrep*"},     ToolFiles{"bats", "setup_suite.bash"}, ToolFiles{"earthly", "earthfile"},
    ToolFiles{"docker", "dockerfile*"},    ToolFiles{"docker-compose", "*compose*.y*ml"},
    // clang-format on
};

bool is_text_of_host(std::string_view path) {
  return std::ranges::any_of(kTextOfHosts, [&](std::string_view pattern) {
    return is_like(path, PathPart::name, pattern) || is_like(path, PathPart::folder, pattern);
  });
}

}  // namespace

std::string_view executor_of(std::string_view path) {
  auto const row = std::ranges::find_if(
      kExecuted, [&](ExecutedRow const& row) { return is_like(path, row.part, row.pattern); });
  if (row == kExecuted.end()) return {};
  return row->by == kCi && is_text_of_host(path) ? std::string_view{} : row->by;
}

bool is_read_by(std::string_view path, std::vector<std::string> const& tools) {
  return std::ranges::any_of(kTools, [&](ToolFiles const& row) {
    return std::ranges::find(tools, row.tool) != tools.end() && is_like(path, PathPart::name, row.file);
  });
}

bool is_known_tool(std::string_view word) {
  return std::ranges::find(kTools, word, &ToolFiles::tool) != kTools.end();
}

}  // namespace andon::core
