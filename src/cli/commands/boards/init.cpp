#include <algorithm>

#include "cli/command_line/invocation.hpp"
#include "cli/command_line/named_commands.hpp"
#include "core/boards/column_stages.hpp"
#include "core/boards/templates.hpp"
#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "os/data/data_directory.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "service/boards/boards.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using core::Code;
using core::Result;

constexpr std::size_t kLongestIgnored = 1U << 20U;
constexpr auto kPrivate = fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec;

bool is_for_files(Invocation const& in) { return !in.given().has("sqlite"); }

fs::path place_of(Invocation const& in) {
  auto const& base = in.env().directory;
  if (auto const dir = in.given().value("dir")) return (base / *dir).lexically_normal();
  return base / (is_for_files(in) ? "kanban" : ".andon");
}

/// A board's short name from what people call it.
std::string short_name(std::string const& title) {
  if (core::is_name(title) && title.find_first_not_of("0123456789") != std::string::npos) return title;
  auto const slug = core::slug(title);
  return slug.find_first_not_of("0123456789") == std::string::npos
             ? "board" + (slug.empty() ? "" : "-" + slug)
             : slug;
}

/// Columns of files mean what their names and places say, so that the files need not tell it.
void mean_by_name(std::vector<core::Column>& columns) {
  std::vector<std::string> names;
  for (auto const& column : columns) names.push_back(column.name);
  for (std::size_t i = 0; i < names.size(); ++i) columns[i].stage = core::stage_by_name(names, i);
}

Result<std::vector<core::Column>> columns_of(Invocation const& in, std::string const& template_name) {
  auto const statuses = in.given().values("statuses");
  auto const shape = core::board_from_template(template_name);
  if (!shape)
    return core::refuse(Code::kInvalidInput, "\"--template\" must be classic, queue or flow", "template");
  auto columns = shape->columns;
  if (!statuses.empty()) ANDON_SET(columns, columns_from(statuses));
  if (!statuses.empty() && is_for_files(in)) mean_by_name(columns);
  for (auto const& limit : in.given().values("wip-limit")) {
    ANDON_TRY(auto const parsed, columns_from({limit}));
    auto const column = std::ranges::find_if(
        columns, [&](auto const& c) { return core::same_name(c.name, parsed.front().name); });
    if (column == columns.end() || !limit.contains(':'))
      return core::refuse(Code::kInvalidInput,
                          "\"--wip-limit " + limit + "\" is not COLUMN:LIMIT of a column of the board",
                          "wip-limit");
    column->wip_limit = parsed.front().wip_limit;
  }
  return columns;
}

/// kanban-md's classes have no target shares.
Result<json::value> classes_without_shares(std::string const& template_name) {
  auto classes = core::board_from_template(template_name)->classes;
  for (auto& service_class : classes) service_class.share = 0;
  return reflect::parse_json(reflect::to_json(classes));
}

Result<json::object> board_request(Invocation const& in) {
  auto title = in.given().value("name").value_or("");
  if (title.empty()) title = in.env().directory.filename().native();
  auto const template_name = in.given().value("template").value_or("flow");
  ANDON_TRY(auto const columns, columns_of(in, template_name));
  ANDON_TRY(auto columns_json, reflect::parse_json(reflect::to_json(columns)));
  json::object request{{"name", short_name(title)}, {"title", title}, {"template", template_name}};
  request["columns"] = std::move(columns_json);
  if (is_for_files(in)) ANDON_SET(request["classes"], classes_without_shares(template_name));
  return request;
}

/// The error for settings that a `config.yml` could not contain either. Like such a file, it has no code of
/// its own.
std::unexpected<core::Error> refused_board(Invocation const& in, core::Error error) {
  bool const is_of_config = error.code == Code::kInvalidInput && error.field != "template";
  if (!is_for_files(in) || !is_of_config) return core::refuse(std::move(error));
  return core::refuse(Code::kInternalError, "invalid config: " + error.message, error.field);
}

Result<core::Board> make_board(Invocation& in, Location const& location, json::object const& request) {
  ANDON_TRY(auto opened, connect(location, in.given().value("as").value_or(""), in.env(), IfMissing::make));
  api::Call call;
  call.operation = &api::row_of<&service::create_board>();
  ANDON_SET(call.request, api::decode(*call.operation, request));
  call.caller = opened.caller;
  ANDON_TRY(auto answer, opened.executor->run(std::move(call)));
  ANDON_TRY(auto made, std::move(answer).as<service::ChangedBoard>());
  return core::Board{std::move(made)};
}

/// Whether the board's folder shall not be kept in git; a line end or no answer means yes.
bool is_to_be_ignored(Invocation& in, fs::path const& place) {
  in.screen().tell("Add " + place.filename().native() + "/ to .gitignore? [Y/n]");
  std::string answer;
  std::getline(in.env().in, answer);
  answer = core::ascii_lower(answer);
  return answer.empty() || answer == "y" || answer == "yes";
}

void add_to_gitignore(Invocation& in, fs::path const& place) {
  auto const file = place.parent_path() / ".gitignore";
  auto const name = place.filename().native(), line = name + "/";
  auto text = os::read_file_if_there(file, kLongestIgnored).value_or("");
  for (auto const& same : {name, line, "/" + name, "/" + line})
    if (("\n" + text + "\n").contains("\n" + same + "\n")) return;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  os::write_file(file, text + line + "\n", 0644);
  in.screen().tell("git ignores " + line + " now; take the line out of .gitignore to keep the board in git");
}

void tell_about(Invocation& in, fs::path const& place, core::Board const& board) {
  auto const name = board.title.empty() ? board.name : board.title;
  std::string columns;
  for (auto const& column : board.columns) columns.append(columns.empty() ? "" : ",").append(column.name);
  json::object answer{{"columns", columns}};
  if (is_for_files(in)) answer["config"] = (place / "config.yml").native();
  answer["dir"] = place.native();
  answer["name"] = name;
  answer["status"] = "initialized";
  if (is_for_files(in)) answer["tasks"] = (place / "tasks").native();
  if (in.screen().is_json()) return in.screen().print(answer);
  auto text = "Initialized board \"" + name + "\"\n  Directory: " + place.native() + "\n";
  if (is_for_files(in))
    text += "  Config:    " + (place / "config.yml").native() +
            "\n  Tasks:     " + (place / "tasks").native() + "\n";
  text += "  Columns:   " + columns + "\n";
  if (is_for_files(in)) text += "\nTeach your agents to use it: " + in.env().program + " skill install\n";
  in.screen().print(text);
}

}  // namespace

/// Makes the directory and its board at once, so that a refused name leaves nothing behind that counts as a
/// board.
Result<int> run_init(Invocation& in) try {
  auto const place = place_of(in);
  bool const files = is_for_files(in);
  if (files ? holds_board(place) : holds_data(place))
    return core::refuse(
        core::Error{Code::kBoardAlreadyExists, "board already initialized in " + place.native(), {}, {}, {}}
            .with("dir", place.native()));
  auto const request = board_request(in);
  if (!request) return refused_board(in, request.error());
  bool const is_new = !fs::exists(place);
  if (!files)
    os::make_directories(os::data_directory(place));
  else if (fs::create_directories(place))
    fs::permissions(place, kPrivate);
  auto const board =
      make_board(in, files ? Location{BoardDirectory{place}} : Location{DataDirectory{place}}, *request);
  if (!board && files && is_new) fs::remove_all(place);
  if (!board) return refused_board(in, board.error());
  // The token and the database are nobody's commit, not even with `git add --all`.
  if (!files) os::write_file(place / ".gitignore", "*\n", 0644);
  tell_about(in, place, *board);
  if (files && !in.screen().is_json() && is_to_be_ignored(in, place)) add_to_gitignore(in, place);
  return 0;
} catch (os::SystemError const& error) {
  return core::refuse(Code::kInternalError, error.what());
} catch (fs::filesystem_error const& error) {
  return core::refuse(Code::kInternalError, error.what());
}

}  // namespace andon::cli
