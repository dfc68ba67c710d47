#include <algorithm>

#include "cli/invocation.hpp"
#include "cli/named_commands.hpp"
#include "core/names.hpp"
#include "core/templates.hpp"
#include "os/data_directory.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using core::Code;
using core::Result;

fs::path place_of(Invocation const& in) {
  auto const& base = in.env().directory;
  if (auto const dir = in.given().value("dir")) return (base / *dir).lexically_normal();
  return base / ".andon";
}

/// A board's short name from what people call it.
std::string short_name(std::string const& title) {
  if (core::is_name(title) && title.find_first_not_of("0123456789") != std::string::npos) return title;
  auto const slug = core::slug(title);
  return slug.find_first_not_of("0123456789") == std::string::npos
             ? "board" + (slug.empty() ? "" : "-" + slug)
             : slug;
}

Result<std::vector<core::Column>> columns_of(Invocation const& in, std::string const& template_name) {
  auto const statuses = in.given().values("statuses");
  auto const shape = core::board_from_template(template_name);
  if (!shape)
    return core::refuse(Code::kInvalidInput, "\"--template\" must be classic, queue or flow", "template");
  auto columns = shape->columns;
  if (!statuses.empty()) ANDON_SET(columns, columns_from(statuses));
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

Result<json::object> board_request(Invocation const& in) {
  auto const title = in.given().value("name").value_or(place_of(in).parent_path().filename().native());
  auto const template_name = in.given().value("template").value_or("flow");
  ANDON_TRY(auto const columns, columns_of(in, template_name));
  ANDON_TRY(auto columns_json, reflect::parse_json(reflect::to_json(columns)));
  json::object request{{"name", short_name(title)}, {"title", title}, {"template", template_name}};
  request["columns"] = std::move(columns_json);
  return request;
}

}  // namespace

/// Makes the data directory and its board at once, so that a refused name leaves nothing behind that counts
/// as a board.
Result<int> run_init(Invocation& in) {
  auto const place = place_of(in);
  if (holds_data(place))
    return core::refuse(
        core::Error{Code::kBoardAlreadyExists, "board already initialized in " + place.native(), {}, {}, {}}
            .with("dir", place.native()));
  ANDON_TRY(auto const request, board_request(in));
  os::make_directories(os::data_directory(place));
  ANDON_TRY(auto opened,
            connect(DataDirectory{place}, in.given().value("as").value_or(""), in.env(), Missing::make));
  api::Call call;
  call.operation = api::find_operation("create_board");
  ANDON_SET(call.request, api::decode(*call.operation, request));
  call.caller = opened.caller;
  ANDON_TRY(auto const text, opened.executor->run(std::move(call)));
  ANDON_TRY(auto const board, reflect::read_json<core::Board>(text, reflect::Unknown::ignore));
  std::string columns;
  for (auto const& column : board.columns) columns.append(columns.empty() ? "" : ",").append(column.name);
  if (in.screen().is_json())
    in.screen().print(json::object{
        {"columns", columns}, {"dir", place.native()}, {"name", board.title}, {"status", "initialized"}});
  else
    in.screen().print("Initialized board \"" + board.title + "\"\n  Directory: " + place.native() +
                      "\n  Columns:   " + columns + "\n");
  return 0;
}

}  // namespace andon::cli
