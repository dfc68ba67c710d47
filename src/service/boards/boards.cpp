#include "service/boards/boards.hpp"

#include <algorithm>
#include <set>

#include "core/boards/templates.hpp"
#include "core/model/clone_url.hpp"
#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "service/about_field.hpp"
#include "service/boards/columns.hpp"
#include "service/boards/machine_commands.hpp"
#include "service/boards/work_policies.hpp"
#include "service/check_text.hpp"
#include "service/given_field.hpp"
#include "service/limits/budgets.hpp"
#include "service/limits/faults.hpp"
#include "service/limits/quiet.hpp"
#include "service/limits/resources.hpp"
#include "service/tasks/kernel/change.hpp"
#include "service/tasks/kernel/task_rules.hpp"
#include "service/tasks/kernel/task_template.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr std::size_t kMostTrusted = 100;
constexpr std::size_t kBoardTitleCharacters = 500;

Result<void> check_admin_only(OperationContext const& ctx, BoardPolicies const& r) {
  if (ctx.caller.role >= Role::admin) return {};
  for (auto const& [given, field] : {std::pair{r.repo.has_value(), "repo"},
                                     {r.worktree.has_value(), "worktree"},
                                     {r.branch.has_value(), "branch"},
                                     {r.branch_prefix.has_value(), "branch_prefix"},
                                     {r.folder.has_value(), "folder"},
                                     {r.filters.has_value(), "filters"},
                                     {r.land.has_value(), "land"},
                                     {r.setup.has_value(), "setup"},
                                     {r.setup_cache.has_value(), "setup_cache"},
                                     {r.setup_timeout.has_value(), "setup_timeout"},
                                     {r.copy.has_value(), "copy"},
                                     {r.env.has_value(), "env"},
                                     {r.ports.has_value(), "ports"},
                                     {r.teardown.has_value(), "teardown"},
                                     {r.preview.has_value(), "preview"},
                                     {r.land_limits.has_value(), "land_limits"},
                                     {r.test_list.has_value(), "test_list"},
                                     {r.test_reports.has_value(), "test_reports"},
                                     {r.checks.has_value(), "checks"},
                                     {r.sources.has_value(), "sources"},
                                     {r.commands.has_value(), "commands"}})
    if (given)
      return core::refuse(Code::kForbidden,
                          "\"" + std::string{field} + "\" may be set by the administrator only", field);
  return {};
}

template <class Items, class Name>
Result<void> check_distinct(Items const& items, Name name, std::string_view field, std::size_t least) {
  std::set<std::string> seen;
  for (auto const& item : items) {
    std::string const text = std::invoke(name, item);
    if (core::is_blank(text) || text.size() > 64 || core::is_unsafe_line(text))
      return invalid("\"" + std::string{field} + "\" must hold names of one line and at most 64 characters",
                     std::string{field});
    if (!seen.insert(core::folded(text)).second)
      return invalid("\"" + text + "\" stands twice in \"" + std::string{field} + "\"", std::string{field});
  }
  if (items.size() < least)
    return invalid("\"" + std::string{field} + "\" needs at least " + std::to_string(least),
                   std::string{field});
  return {};
}

/// Checks the title of a board or a column. An empty one stands for the name.
Result<void> check_title(std::string const& title, std::string_view field) {
  bool const is_seen = title.empty() || !core::is_blank(title);
  if (is_seen && !core::is_unsafe_line(title) && core::length_in_characters(title) <= kBoardTitleCharacters)
    return {};
  return invalid(
      "a title must be one line of at most 500 characters, without control or invisible characters",
      std::string{field});
}

Result<void> check_columns(std::vector<core::Column> const& columns) {
  ANDON_CHECK(check_distinct(columns, &core::Column::name, "columns", 2));
  for (auto const& column : columns) {
    ANDON_CHECK(check_title(column.title, "columns"));
    if (column.wip_limit < 0) return invalid("a WIP limit cannot be negative", "columns");
    if (!column.holds_back.empty() && std::ranges::none_of(columns, [&](auto const& other) {
          return core::same_name(other.name, column.holds_back);
        }))
      return invalid(
          "column \"" + column.name + "\" holds back \"" + column.holds_back + "\", which is no column",
          "columns");
  }
  return {};
}

/// Work that ends needs a column to end in; no other stage stands for done.
Result<void> check_end(std::vector<core::Column> const& columns) {
  if (std::ranges::find(columns, core::Stage::done, &core::Column::stage) != columns.end()) return {};
  return invalid("a board needs a column of stage done, where finished work goes", "columns");
}

Result<void> check_commands(std::map<std::string, std::vector<std::string>> const& commands,
                            std::string const& field) {
  for (auto const& [name, argv] : commands) {
    auto const about = field + "/" + name;
    if (!core::is_name(name))
      return invalid("\"" + field + "\" must have names of 1 to 64 letters, digits, - _ or .", field);
    ANDON_CHECK(check_command(argv, about));
  }
  return {};
}

Result<void> check_classes(OperationContext const& ctx, std::vector<core::ServiceClass> const& classes) {
  ANDON_CHECK(check_distinct(classes, &core::ServiceClass::name, "classes", 1));
  bool const bad = std::ranges::any_of(
      classes, [](auto const& c) { return c.wip_limit < 0 || c.share < 0 || c.share > 100; });
  if (bad) return invalid("a class limit cannot be negative and a share is from 0 to 100", "classes");
  for (std::size_t i = 0; i < classes.size(); ++i) {
    std::optional<core::QuietHours> quiet;
    ANDON_CHECK(set_quiet(ctx, classes[i].quiet, quiet, "classes/" + std::to_string(i) + "/quiet"));
  }
  return {};
}

Result<void> check_review_by(core::ReviewBy const& by) {
  bool const is_known = by.kind != core::Reviewer::unknown;
  if (is_known && (by.kind != core::Reviewer::role || (!by.name.empty() && check_role(by.name, "review_by"))))
    return {};
  return invalid("\"review_by\" must be person, checks or role:NAME", "review_by");
}

Result<void> check_look(core::BoardDisplay const& look) {
  if (look.title_lines < 1 || look.title_lines > 3)
    return invalid("invalid tui.title_lines " + std::to_string(look.title_lines) + ": must be from 1 to 3",
                   "tui/title_lines");
  if (look.narrow_threshold < 0)
    return invalid("invalid tui.narrow_threshold: must not be negative", "tui/narrow_threshold");
  for (auto const& threshold : look.age_thresholds)
    if (threshold.color.empty() || threshold.after < core::Duration::zero())
      return invalid("an age threshold needs a colour and an age that is not negative", "tui/age_thresholds");
  return {};
}

Result<void> check_words_of(OperationContext const& ctx, BoardPolicies const& r) {
  if (r.title) ANDON_CHECK(check_title(*r.title, "title"));
  if (r.description && !r.description->empty())
    ANDON_CHECK(check_text(*r.description, "description", kNoteBytes));
  ANDON_CHECK(check_repository(r));
  if (r.prefix) ANDON_CHECK(check_prefix(*r.prefix));
  if (r.tui) ANDON_CHECK(check_look(*r.tui));
  if (r.columns) ANDON_CHECK(check_columns(*r.columns));
  if (r.classes) ANDON_CHECK(check_classes(ctx, *r.classes));
  if (r.priorities)
    ANDON_CHECK(check_distinct(*r.priorities, [](auto const& p) { return p; }, "priorities", 1));
  if (r.checks) ANDON_CHECK(check_commands(*r.checks, "checks"));
  if (r.sources) ANDON_CHECK(check_commands(*r.sources, "sources"));
  if (r.review_by) ANDON_CHECK(check_review_by(*r.review_by));
  if (r.trusted) ANDON_CHECK(check_words(*r.trusted, "trusted", kMostTrusted));
  if (r.max_concurrent && (*r.max_concurrent < 0 || *r.max_concurrent > 1000))
    return invalid("\"max_concurrent\" must be from 0 to 1000", "max_concurrent");
  ANDON_CHECK(check_work_policies(r));
  ANDON_CHECK(check_budget(ctx, r.budget));
  if (r.check_timeout && *r.check_timeout <= core::Duration{})
    return invalid("\"check_timeout\" must be more than nothing", "check_timeout");
  return {};
}

Result<void> apply_policies(OperationContext const& ctx, BoardPolicies const& request, core::Board& board) {
  ANDON_CHECK(check_admin_only(ctx, request));
  ANDON_TRY(auto const r, with_named_commands(request));
  ANDON_CHECK(check_words_of(ctx, r));
  ANDON_CHECK(check_commands_are_of_machine(ctx, request, board));
  take(r.title, board.title);
  take(r.description, board.description);
  take(r.prefix, board.prefix);
  take(r.workflow, board.workflow);
  take(r.approval, board.approval);
  take(r.trusted, board.trusted);
  take(r.review_by, board.review_by);
  take(r.max_concurrent, board.max_concurrent);
  take(r.auto_dispatch, board.auto_dispatch);
  take(r.require_brief, board.require_brief);
  take(r.repo, board.repo);
  take(r.worktree, board.worktree);
  if (core::is_clone_url(board.repo) && !board.worktree)
    return invalid("a board whose \"repo\" is a clone URL needs work trees; set \"worktree\" too",
                   "worktree");
  take(r.land, board.land);
  if (r.require_evidence) board.require_evidence = r.require_evidence;
  take(r.columns, board.columns);
  take(r.priorities, board.priorities);
  take(r.classes, board.classes);
  take(r.default_status, board.default_status);
  take(r.default_priority, board.default_priority);
  take(r.default_class, board.default_class);
  take(r.checks, board.checks);
  take(r.sources, board.sources);
  take(r.chains, board.chains);
  take(r.claim_timeout, board.claim_timeout);
  take(r.stale_after, board.stale_after);
  take(r.silent_after, board.silent_after);
  if (r.tui) board.tui = *r.tui;
  take(r.check_timeout, board.check_timeout);
  set_work_policies(r, board);
  ANDON_CHECK(take_examined(r, board));
  set_budget(r.budget, board.budget);
  ANDON_CHECK(set_limits(r.limits, board.limits));
  for (auto& column : board.columns) {
    if (column.title.empty()) column.title = column.name;
    column.count.reset();
  }
  return check_work_of(board);
}

/// Defaults must name what the board has; a default that went with its column falls back to the first one.
Result<void> check_defaults(BoardPolicies const& r, core::Board& board) {
  if (r.default_status) {
    ANDON_TRY(auto const* column, about_field("default_status", known_column(board, *r.default_status)));
    board.default_status = column->name;
  }
  if (r.default_priority)
    ANDON_SET(board.default_priority,
              about_field("default_priority", known_priority(board, *r.default_priority)));
  if (r.default_class && !r.default_class->empty())
    ANDON_SET(board.default_class, about_field("default_class", known_class(board, *r.default_class)));
  if (!core::find_column(board, board.default_status)) board.default_status = board.columns.front().name;
  if (!core::priority_index(board, board.default_priority))
    board.default_priority = board.priorities[board.priorities.size() / 2];
  if (!board.classes.empty() && !board.default_class.empty() &&
      !core::class_index(board, board.default_class))
    board.default_class = board.classes.front().name;
  return {};
}

/// A board's chains name what the board has.
Result<void> check_chains(BoardPolicies const& r, core::Board const& board) {
  if (!r.chains) return {};
  for (std::size_t i = 0; i < r.chains->size(); ++i)
    ANDON_CHECK(check_template(board, (*r.chains)[i].next, "chains/" + std::to_string(i) + "/next"));
  return {};
}

/// Chains that are not given anew follow the columns they name.
void fit_chains(EditBoardRequest const& r, ColumnPlan const& plan, core::Board& board) {
  if (r.chains) return;
  for (auto& rule : board.chains) fit_template(board, plan.targets, rule.next);
}

void fit_automations(OperationContext& ctx, ColumnPlan const& plan, core::Board const& board) {
  for (auto& automation : ctx.tx.automations()) {
    if (automation.board != board.name) continue;
    auto const before = automation.template_;
    fit_template(board, plan.targets, automation.template_);
    if (automation.template_ == before) continue;
    automation.rev = core::next(automation.rev);
    ctx.tx.put(automation);
  }
}

void append_board_change(OperationContext& ctx, core::Board const& board, std::string what) {
  core::Event event;
  event.kind = core::EventKind::board_changed;
  event.board = board.name;
  append_event(ctx, std::move(event), {{"what", std::move(what)}});
}

Result<core::Board> as_planned(OperationContext const& ctx, core::Board board, EditBoardRequest const& r,
                               ColumnPlan const& plan) {
  BoardPolicies policies = r;
  policies.columns = plan.columns;
  ANDON_CHECK(apply_policies(ctx, policies, board));
  if (auto const now = plan.targets.find(board.default_status); now != plan.targets.end())
    board.default_status = now->second;
  ANDON_CHECK(check_defaults(r, board));
  ANDON_CHECK(check_chains(r, board));
  fit_chains(r, plan, board);
  return board;
}

/// The rights that a server gives its agents may not come from a file, nor from everybody who may edit
/// columns.
Result<void> check_attached(OperationContext const& ctx, core::Board const& board,
                            EditBoardRequest const& r) {
  if (!core::is_attached(board)) return {};
  if (r.prefix && *r.prefix != board.prefix)
    return invalid("the prefix of an attached board stays; detach it and attach it with --prefix", "prefix");
  if ((r.approval || r.trusted) && ctx.caller.role < Role::admin)
    return core::refuse(Code::kForbidden, "whether files are trusted may be set by the administrator only",
                        "trusted");
  return {};
}

bool has_tasks(OperationContext& ctx, core::Board const& board) {
  return std::ranges::any_of(ctx.tx.load(board.id).columns, [](auto const& load) { return load.second > 0; });
}

constexpr std::size_t kMostClaims = 500;  ///< looked at before a board goes

/// Refuses while somebody holds an unfinished task of the board. The engine's own claims end by themselves.
Result<void> check_no_claims(OperationContext& ctx, core::Board const& board) {
  store::TaskFilter filter;
  filter.board = board.id;
  using enum core::Stage;
  filter.stages = {backlog, ready, claimed, active, review, blocked};
  filter.claimed = true;
  filter.now = ctx.now;
  store::Page page;
  page.limit = kMostClaims;
  ANDON_TRY(auto const held, ctx.tx.list(filter, page));
  for (auto const& task : held.tasks)
    if (!core::is_held_by_engine(task))
      return core::refuse(core::Error{
          Code::kStatusConflict,
          "\"" + task.claimed_by + "\" holds task #" + std::to_string(task.id) + " of board \"" + board.name +
              "\"; release it or let the claim end first",
          "board",
          {},
          {}}.with("claimed_by", task.claimed_by)
                              .with("task", task.id));
  return {};
}

/// A board that goes away would take its tasks from under those who work on them.
Result<void> check_nobody_works(OperationContext& ctx, core::Board const& board) {
  for (auto const& run : ctx.tx.live_runs())
    if (run.board == board.name)
      return core::refuse(core::Error{
          Code::kStatusConflict,
          "worker \"" + run.worker + "\" works on task #" + std::to_string(run.task) + " of board \"" +
              board.name + "\"; kill it or let it end first",
          "board",
          {},
          {}}.with("worker", run.worker)
                              .with("task", run.task));
  return check_no_claims(ctx, board);
}

/// A key names one task, and those of an attached board are numbered in its files.
Result<void> check_keys(OperationContext& ctx, core::Board const& board) {
  if (board.prefix.empty()) return {};
  for (auto const* other : ctx.tx.boards())
    if (other->id != board.id && core::is_attached(*other) && core::same_name(other->prefix, board.prefix))
      return invalid("board \"" + other->name + "\" has the prefix " + other->prefix + " already", "prefix");
  return {};
}

}  // namespace

Result<void> check_board_name(std::string const& name) {
  if (!core::is_name(name) || name.find_first_not_of("0123456789") == std::string::npos)
    return invalid("\"name\" must be 1 to 64 letters, digits, - _ or . and not only digits", "name");
  // Directories and addresses lose such a dot on some systems, and two boards would share one.
  if (name.ends_with('.')) return invalid("\"name\" must not end with a dot", "name");
  return {};
}

Result<void> check_prefix(std::string const& prefix) {
  bool const good = prefix.size() <= 12 &&
                    std::ranges::all_of(prefix, [](char c) { return core::is_ascii_alphanumeric(c); });
  if (!good || (!prefix.empty() && core::is_ascii_digit(prefix.front())))
    return invalid("\"prefix\" must be up to 12 letters and digits, starting with a letter", "prefix");
  return {};
}

Result<core::Board> edited(OperationContext const& ctx, core::Board const& before,
                           EditBoardRequest const& r) {
  ANDON_TRY(auto const plan, plan_columns(before, r));
  return as_planned(ctx, before, r, plan);
}

core::Board with_counts(OperationContext& ctx, core::Board board) {
  auto const load = ctx.tx.load(board.id);
  for (auto& column : board.columns) {
    auto const found = load.columns.find(column.name);
    column.count = found == load.columns.end() ? 0 : found->second;
  }
  if (board.settling) board.settling = ctx.tx.left_to_settle(board.id);
  return board;
}

Result<Boards> list_boards(OperationContext& ctx, ListBoardsRequest const& r) {
  Boards out;
  for (auto const* board : ctx.tx.boards()) {
    bool const hidden = is_run(ctx) && ctx.caller.run->board != board->name;
    if (!hidden && (r.archived || !board->archived)) out.items.push_back(with_counts(ctx, *board));
  }
  return out;
}

Result<core::Board> get_board(OperationContext& ctx, BoardRequest const& r) {
  ANDON_TRY(auto const* board, find_board(ctx, r.board));
  return with_counts(ctx, *board);
}

Result<ChangedBoard> create_board(OperationContext& ctx, CreateBoardRequest const& r) {
  ANDON_CHECK(check_board_name(r.name));
  if (ctx.tx.board(r.name))
    return core::refuse(Code::kBoardAlreadyExists, "there is already a board \"" + r.name + "\"", "name");
  auto board = core::board_from_template(r.template_.value_or("classic"));
  if (!board) return invalid("\"template\" must be classic, queue or flow", "template");
  board->name = r.name;
  board->title = r.name;
  board->created = ctx.now;
  if (!r.template_ && r.repo && !r.repo->empty()) core::add_review_column(*board);
  ANDON_CHECK(apply_policies(ctx, r, *board));
  ANDON_CHECK(check_end(board->columns));
  ANDON_CHECK(check_defaults(r, *board));
  ANDON_CHECK(check_chains(r, *board));
  ANDON_CHECK(check_keys(ctx, *board));
  board->id = ctx.tx.add(*board);
  append_board_change(ctx, *board, "created");
  return ChangedBoard{with_counts(ctx, *std::move(board)), notes_on_repository(r)};
}

Result<ChangedBoard> edit_board(OperationContext& ctx, EditBoardRequest const& r) {
  ANDON_TRY(auto const* found, find_board(ctx, r.board));
  auto const before = *found;
  if (ctx.expected_rev && *ctx.expected_rev != before.rev)
    return core::refuse(Code::kRevMismatch, "board \"" + before.name + "\" has changed since; read it again",
                        "If-Match");
  ANDON_CHECK(check_attached(ctx, before, r));
  ANDON_TRY(auto const plan, plan_columns(before, r));
  ANDON_TRY(auto board, as_planned(ctx, before, r, plan));
  ANDON_CHECK(check_keys(ctx, board));
  if (check_end(before.columns)) ANDON_CHECK(check_end(board.columns));
  if (r.archived == true && !before.archived) ANDON_CHECK(check_nobody_works(ctx, before));
  if (r.archived) board.archived = *r.archived;
  board.rev = core::next(board.rev);
  ANDON_CHECK(change_columns(ctx, before, board, plan));
  fit_automations(ctx, plan, board);
  if (changes_work_place(r)) forget_fault_of_board(ctx, board.name);
  append_board_change(ctx, board, "edited");
  return ChangedBoard{with_counts(ctx, std::move(board)), notes_on_repository(r)};
}

Result<DeletedBoard> delete_board(OperationContext& ctx, BoardRequest const& r) {
  ANDON_TRY(auto const* found, find_board(ctx, r.board));
  auto board = *found;
  if (core::is_attached(board))
    return core::refuse(
        Code::kInvalidInput,
        "board \"" + board.name + "\" is a directory; take it off this server with: andon boards detach",
        "board");
  ANDON_CHECK(check_nobody_works(ctx, board));
  if (!has_tasks(ctx, board)) {
    ctx.tx.remove_board(board.id);
    append_board_change(ctx, board, "deleted");
    return DeletedBoard{board.name, "deleted"};
  }
  board.archived = true;
  board.rev = core::next(board.rev);
  ctx.tx.put(board);
  append_board_change(ctx, board, "archived");
  return DeletedBoard{board.name, "archived"};
}

bool has_boards(OperationContext& ctx) { return !ctx.tx.boards().empty(); }

}  // namespace andon::service
