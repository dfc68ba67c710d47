#include "runner/prompts/assignment.hpp"

#include <algorithm>

#include "core/model/clone_url.hpp"
#include "os/system_error.hpp"
#include "runner/profiles/document.hpp"
#include "runner/profiles/sandbox.hpp"
#include "runner/prompts/memory.hpp"
#include "runner/runs/repository_place.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/worktrees/work_folder.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using core::Result;

constexpr std::string_view kRoles = "roles/";
constexpr std::size_t kLongestSession = 200;

Result<std::string> role_document(core::Worker const& worker, fs::path const& root) {
  if (worker.prompt_file.empty()) return worker.prompt;
  auto name = worker.prompt_file;
  if (name.starts_with(kRoles)) name.erase(0, kRoles.size());
  if (auto text = read_document(root / "roles", name)) return *std::move(text);
  return core::refuse(core::Code::kInvalidInput,
                      "worker \"" + worker.name + "\" names the role document \"" + worker.prompt_file +
                          "\", which is not among the roles of the data directory",
                      "prompt_file");
}

Result<PromptParts> prompt_parts(service::RunBrief const& brief, service::RunDocuments documents) {
  PromptParts parts;
  parts.task = brief.task;
  parts.board = brief.board;
  parts.worker = brief.worker;
  parts.plans = brief.run.plans;
  // No agent begins to write before its plan is accepted.
  if (parts.plans) parts.worker.permissions = core::Permissions::readonly;
  parts.plan = brief.plan;
  parts.role_document = std::move(documents.role);
  for (auto& topic : documents.memory)
    parts.memory.push_back({std::move(topic.name), std::move(topic.text), topic.is_noted});
  for (auto const& task : brief.context)
    parts.earlier.push_back(
        {task.key.empty() ? "#" + std::to_string(task.id) : task.key, task.title, task.result});
  parts.beside = brief.beside;
  parts.feedback = brief.feedback;
  parts.unfinished = brief.unfinished;
  parts.attachments = "$ANDON_RUN_DIR/attachments";
  if (brief.place) parts.earlier_work = kEarlierWork;
  return parts;
}

void give_place(Assignment& out, service::RunBrief const& brief, os::DataDirectory const& data) {
  auto const& board = brief.board;
  out.cwd = board.repo;
  if (!board.worktree || board.repo.empty()) return;
  out.workspace = WorkspaceSpec{.repo = repository_directory(board.repo, data),
                                .directory = work_tree_of(data, board.name, brief.task),
                                .branch = brief.branch,
                                .place = brief.place,
                                .title = brief.task.title,
                                .origin = board.repo,
                                .data = fs::absolute(data.root),
                                .filters = board.filters,
                                .folder = board.folder,
                                .board_branch = board.branch,
                                .branch_prefix = board.branch_prefix};
  out.prompt.work_tree = true;
  out.prompt.folder = board.folder;
}

/// Whether a session id is safe. It comes from an agent and becomes an argument, so it must not be an option
/// or more than a name.
bool is_session(std::string_view text) {
  return !text.empty() && text.size() <= kLongestSession && text.front() != '-' &&
         std::ranges::all_of(text, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == ':';
         });
}

/// The directory of the conversation, if a run of this profile worked there and it is still a directory. An
/// agent may have put a link in its place.
std::optional<fs::path> place_of_conversation(service::EarlierConversation const& earlier,
                                              Profile const& profile) {
  if (earlier.agent != profile.id || earlier.cwd.empty()) return std::nullopt;
  std::error_code error;
  bool const is_there = fs::is_directory(fs::symlink_status(earlier.cwd, error));
  return is_there ? std::optional{fs::path{earlier.cwd}} : std::nullopt;
}

/// Whether the path is the working directory of some run: `RUNS/N/work`.
bool is_in_run(fs::path const& place, os::DataDirectory const& data) {
  return place.filename() == kWorkDirectory && place.parent_path().parent_path() == fs::absolute(data.runs());
}

void take_up_conversation(Assignment& out, service::RunBrief const& brief, Profile const& profile,
                          os::DataDirectory const& data) {
  if (!brief.earlier || profile.resume_argv.empty() || !is_session(brief.earlier->session)) return;
  auto const place = place_of_conversation(*brief.earlier, profile);
  fs::path const own = out.workspace ? fs::path{place_of_agent(*out.workspace)} : out.cwd;
  if (!place || (own.empty() ? !is_in_run(*place, data) : own != *place)) return;
  out.continues_in_run = own.empty();
  if (out.continues_in_run) out.cwd = *place;
  out.session = brief.earlier->session;
  out.used_before = brief.earlier->used;
  out.prompt.continues = true;
}

}  // namespace

Result<service::RunDocuments> documents_for(core::Worker const& worker, std::vector<std::string> const& tags,
                                            fs::path const& root) {
  service::RunDocuments out;
  ANDON_SET(out.role, role_document(worker, root));
  for (auto& topic : Memory{root / "memory"}.given(worker, tags))
    out.memory.push_back({std::move(topic.name), std::move(topic.text), topic.is_noted});
  return out;
}

Result<Assignment> assignment_of(service::RunBrief const& brief, Profile const& profile,
                                 os::DataDirectory const& data, service::RunDocuments documents) {
  Assignment out;
  ANDON_SET(out.prompt, prompt_parts(brief, std::move(documents)));
  give_place(out, brief, data);
  take_up_conversation(out, brief, profile, data);
  return out;
}

Result<Assignment> assignment_of(service::RunBrief const& brief, Profile const& profile,
                                 os::DataDirectory const& data) {
  ANDON_TRY(auto documents, documents_for(brief.worker, brief.task.tags, data.root));
  return assignment_of(brief, profile, data, std::move(documents));
}

AgentInput told(Profile const& profile, PromptParts const& parts) {
  auto const& rule = profile.prompt;
  auto const level = to_text(parts.worker.permissions);
  bool const is_mute =
      !has_sandbox(profile) && std::ranges::find(rule.words_only, level) != rule.words_only.end();
  auto const reporting = profile.mcp.is_passed_at(level) ? Reporting::by_tools
                         : is_mute                       ? Reporting::by_words
                                                         : Reporting::by_command;
  AgentInput out{compose_role(parts), compose_prompt(parts, {}, reporting)};
  if (rule.role == RoleVia::prepend && !out.role.empty()) out.prompt = out.role + "\n" + out.prompt;
  if (rule.role == RoleVia::prepend || rule.role == RoleVia::none) out.role.clear();
  return out;
}

}  // namespace andon::runner
