#include "runner/dispatch/launcher.hpp"

#include <cerrno>
#include <fcntl.h>

#include <boost/json/serialize.hpp>

#include "core/runs/work_branch.hpp"
#include "os/files/file.hpp"
#include "os/files/pipe.hpp"
#include "os/processes/program.hpp"
#include "os/random.hpp"
#include "os/system_error.hpp"
#include "runner/profiles/agent_environment.hpp"
#include "runner/profiles/expand.hpp"
#include "runner/prompts/assignment.hpp"
#include "runner/runs/run_files.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using core::Code;
using core::Result;

Variables variables_of(LaunchRequest const& request, fs::path const& run_dir, fs::path const& cwd,
                       AgentInput const& told) {
  auto const& rule = request.profile.prompt;
  Variables variables;
  auto& texts = variables.texts;
  for (auto const& [name, value] : request.settings) texts[name] = value;
  texts["task.id"] = std::to_string(request.run.task);
  texts["task.title"] = request.prompt.task.title;
  texts["run.id"] = std::to_string(request.run.id);
  texts["run.dir"] = RunFiles{run_dir}.own();
  texts["cwd"] = cwd;
  texts["model"] = request.prompt.worker.model;
  texts["session"] = request.session;
  texts["new_session"] = os::random_uuid();
  texts["board.url"] = request.url;
  texts["board.token"] = request.token;
  texts["file.prompt"] = run_dir / "prompt.md";
  texts["prompt"] = told.prompt;
  if (!told.role.empty() && rule.role == RoleVia::file) texts["file.role"] = run_dir / "role.md";
  if (!told.role.empty() && rule.role == RoleVia::flag) texts["role"] = told.role;
  auto const& mcp = request.profile.mcp;
  bool const has_server = mcp.is_passed_at(to_text(request.prompt.worker.permissions));
  if (has_server) texts["mcp.url"] = request.url + "/mcp";
  if (has_server && mcp.kind == McpKind::file) texts["file.mcp"] = run_dir / "mcp.json";
  variables.lists["add_dirs"] = request.add_dirs;
  return variables;
}

Environment run_variables(LaunchRequest const& request, os::DataDirectory const& data,
                          RunFiles const& files) {
  auto const& run = request.run;
  return {{"ANDON_URL", request.url},
          {"ANDON_TOKEN", request.token},
          {"ANDON_TASK", std::to_string(run.task)},
          {"ANDON_RUN", std::to_string(run.id)},
          {"ANDON_EPOCH", std::to_string(run.epoch)},
          {"ANDON_WORKER", run.worker},
          {"ANDON_BOARD", run.board},
          {"ANDON_SOCKET", data.socket.native()},
          {"ANDON_RUN_DIR", files.dir.native()},
          {"TMPDIR", files.tmp().native()},
          {"GIT_AUTHOR_NAME", run.worker},
          {"GIT_AUTHOR_EMAIL", core::kAgentAddress},
          {"GIT_COMMITTER_NAME", run.worker},
          {"GIT_COMMITTER_EMAIL", core::kAgentAddress}};
}

/// The variables of a check. A check belongs to the administrator, so it gets no profile variables and no
/// token.
Environment check_variables(LaunchRequest const& request, RunFiles const& files) {
  return {{"ANDON_TASK", std::to_string(request.run.task)},
          {"ANDON_RUN", std::to_string(request.run.id)},
          {"ANDON_BOARD", request.run.board},
          {"ANDON_RUN_DIR", files.dir.native()},
          {"TMPDIR", files.tmp().native()}};
}

/// The directory in which the agent works.
fs::path place_of(LaunchRequest const& request, RunFiles const& files) {
  if (request.workspace) return place_of_agent(*request.workspace);
  return request.cwd.empty() ? files.dir / kWorkDirectory : request.cwd;
}

std::string value_of(std::vector<std::string> const& environment, std::string_view name) {
  for (std::string_view const variable : environment)
    if (variable.starts_with(name) && variable.substr(name.size()).starts_with('='))
      return std::string{variable.substr(name.size() + 1)};
  return {};
}

std::unexpected<core::Error> missing_program(LaunchRequest const& request, std::string const& name) {
  return core::refuse(Code::kInvalidInput, "worker \"" + request.run.worker +
                                               "\" cannot start: the program \"" + name +
                                               "\" of its agent profile \"" + request.profile.id + "\" " +
                                               os::why_not_found(name));
}

void write_beneath(fs::path const& directory, std::string const& path, std::string const& content) {
  auto const target = directory / path;
  os::make_private_directory(target.parent_path());
  os::write_passing_file(target, content, 0600);
}

os::Descriptor open_log(RunFiles const& files) {
  os::Descriptor log{
      ::open(files.supervisor_log().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (!log) os::fail("create", files.supervisor_log().native());
  return log;
}

/// Makes a directory of the home. An agent does without it in a home that a service leaves read-only.
void make_unless_read_only(fs::path const& directory) try {
  os::make_private_directory(directory);
} catch (os::SystemError const& error) {
  if (error.number() != EROFS) throw;
}

}  // namespace

Launcher::Launcher(os::DataDirectory data, fs::path program, std::vector<std::string> own)
    : data_(std::move(data)), program_(std::move(program)), own_(std::move(own)) {}

fs::path Launcher::run_directory(core::RunId run) const {
  return fs::absolute(data_.runs()) / std::to_string(run);
}

/// Refuses a run whose profile wants a sandbox that the kernel cannot provide.
Result<void> check_sandbox(Profile const& profile) {
  if (profile.sandbox == Sandbox::on && !has_sandbox(profile))
    return core::refuse(Code::kInvalidInput,
                        "the agent profile \"" + profile.id +
                            "\" wants a sandbox, and this kernel has no Landlock to make it "
                            "with; set \"sandbox\":\"off\" to do without");
  return {};
}

void Launcher::add_sandbox(Plan& plan, LaunchRequest const& request, RunFiles const& files) const {
  auto& spec = plan.spec;
  SandboxNeeds const needs{
      .program = spec.program,
      .andon_directory = program_.parent_path(),
      .data = data_.root,
      .run_dir = files.dir,
      .cwd = request.workspace ? fs::path{request.workspace->directory} : fs::path{spec.cwd},
      .only_reads_work = request.prompt.worker.permissions == core::Permissions::readonly,
      .environment = spec.env,
      .folders = request.profile.folders,
      .own_terminals = request.profile.terminals == Terminals::automatic,
      .profile = request.profile.id};
  spec.sandbox = sandbox_of(needs);
  if (request.workspace && fs::path{request.workspace->origin}.is_absolute())
    spec.sandbox->kept_closed.push_back(request.workspace->origin);
  for (auto const* name :
       {"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"})
    if (!value_of(own_, name).empty() && value_of(spec.env, name).empty())
      spec.sandbox->proxies_held_back.emplace_back(name);
  plan.directories = directories_to_make(needs);
}

/// Refuses a repository in which no agent may work. The other working directories are Andon's own.
Result<void> Launcher::check_place(LaunchRequest const& request) const {
  if (request.workspace || request.cwd.empty() || request.continues_in_run) return {};
  auto const fault = fault_of_work_directory(request.cwd, data_.root, value_of(own_, "HOME"));
  if (fault.empty()) return {};
  return core::refuse(Code::kInvalidInput,
                      "no agent may work in " + request.cwd.native() + ": " + fault +
                          "; give the board another \"repo\", or work trees of its own with \"worktree\"",
                      "repo");
}

Result<Launcher::Plan> Launcher::plan(LaunchRequest const& request) const {
  RunFiles const files{run_directory(request.run.id)};
  auto const& profile = request.profile;
  auto const cwd = place_of(request, files);
  ANDON_CHECK(check_place(request));
  ANDON_CHECK(check_sandbox(profile));
  auto const told = runner::told(profile, request.prompt);
  auto variables = variables_of(request, files.dir, cwd, told);
  if (has_sandbox(profile)) variables.texts["sandbox"] = "on";
  auto const level = to_text(request.prompt.worker.permissions);
  ANDON_TRY(auto invocation, expand(profile, variables, level));
  Plan plan;
  plan.input = std::move(invocation.stdin_text);
  plan.files.emplace_back("prompt.md", told.prompt);
  if (!told.role.empty()) plan.files.emplace_back("role.md", told.role);
  for (auto& file : invocation.files)
    plan.files.emplace_back(files.own().filename() / file.path, std::move(file.content));
  if (profile.mcp.kind == McpKind::file && profile.mcp.is_passed_at(level)) {
    ANDON_TRY(auto const filled, fill_json(profile.mcp.template_, variables));
    plan.files.emplace_back("mcp.json", boost::json::serialize(filled) + "\n");
  }

  auto& spec = plan.spec;
  spec.run = request.run.id;
  spec.task = request.run.task;
  spec.epoch = request.run.epoch;
  spec.worker = request.run.worker;
  spec.board = request.run.board;
  spec.agent = profile.id;
  spec.url = request.url;
  spec.socket = data_.socket;
  spec.token = request.token;
  spec.argv = std::move(invocation.argv);
  auto const of_board = board_environment(request.board_env, own_);
  auto variables_of_agent = of_board;
  std::ranges::move(invocation.env, std::back_inserter(variables_of_agent));
  spec.env = agent_environment(profile, own_, variables_of_agent, run_variables(request, data_, files),
                               program_.parent_path());
  spec.cwd = cwd;
  spec.output = profile.output;
  spec.usage = profile.usage;
  if (spec.usage.after_exit) {
    ANDON_TRY(spec.usage.after_exit->file, fill(spec.usage.after_exit->file, variables));
  }
  spec.used_before = request.used_before;
  spec.stop = profile.stop;
  spec.exit = profile.exit;
  spec.timeouts = profile.timeouts;
  spec.fatal = profile.fatal;
  spec.failures = profile.failures;
  spec.sign_in = profile.detect.sign_in.how;
  spec.limits = request.limits;
  spec.records = data_.repositories();
  spec.workspace = request.workspace;
  spec.setup = request.setup;
  spec.checks = request.checks;
  spec.check_env =
      agent_environment({}, own_, of_board, check_variables(request, files), program_.parent_path());
  spec.check_limit = request.check_limit;
  spec.resources = request.resources;
  spec.plans = request.run.plans;
  auto const program = os::find_program(spec.argv.front(), value_of(spec.env, "PATH"));
  if (!program) return missing_program(request, spec.argv.front());
  spec.program = *program;
  if (has_sandbox(profile)) add_sandbox(plan, request, files);
  return plan;
}

Result<Launched> Launcher::launch(LaunchRequest const& request) const {
  ANDON_TRY(auto plan, this->plan(request));
  RunFiles const files{run_directory(request.run.id)};
  if (fs::exists(files.spec()))
    return core::refuse(Code::kConflict, "run " + std::to_string(request.run.id) + " was started before");
  os::make_private_directory(files.own());
  if (request.cwd.empty() && !request.workspace) os::make_private_directory(plan.spec.cwd);
  os::make_private_directory(files.tmp());
  for (auto const& directory : plan.directories) make_unless_read_only(directory);
  for (auto const& [path, content] : plan.files) write_beneath(files.dir, path, content);
  os::write_passing_file(files.input(), plan.input, 0600);
  write_spec(files, plan.spec);

  auto const log = open_log(files);
  auto key = os::make_pipe();
  os::Command command{.program = program_,
                      .argv = {program_.native(), "supervise", files.dir.native()},
                      .env = {files.marker()},
                      .cwd = "/",
                      .in = key.read.get(),
                      .err = log.get()};
  // Those of git name its configuration, for filters. The last ones are for fetches of clones.
  for (auto const* name :
       {"PATH", "HOME", "LANG", "TZ", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM", "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
        "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"})
    if (auto const value = value_of(own_, name); !value.empty())
      command.env.push_back(std::string{name} + "=" + value);
  Launched launched{.run_dir = files.dir,
                    .supervisor = {},
                    .child = {},
                    .input = identity_of_input(files),
                    .cwd = plan.spec.cwd,
                    .key = std::move(key.write)};
  try {
    launched.child = os::spawn(command);
  } catch (os::SystemError const&) {
    fs::remove(files.spec());
    throw;
  }
  launched.supervisor = os::identify(launched.child.pid).value_or(os::ProcessId{launched.child.pid, 0, {}});
  return launched;
}

}  // namespace andon::runner
