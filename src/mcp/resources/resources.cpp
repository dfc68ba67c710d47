#include "mcp/resources/resources.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <boost/json/serialize.hpp>

#include "api/description/schema.hpp"
#include "api/operation.hpp"
#include "core/text/percent.hpp"
#include "core/text/visible_text.hpp"
#include "reflect/json.hpp"
#include "service/boards/boards.hpp"
#include "service/insight/live.hpp"

namespace andon::mcp {
namespace {

constexpr std::string_view kScheme = "andon://";
constexpr char kJson[] = "application/json";
constexpr std::size_t kOfAPage = 100;

struct KindRow {
  std::string_view kind;       ///< the first part of the address
  std::string_view operation;  ///< that reads it
  std::string_view field;      ///< the member of its request with the second part
  std::string_view title;
};
constexpr std::array kKinds{
    KindRow{"boards", "board_summary", "board", "A board in numbers"},
    KindRow{"tasks", "get_task", "id", "A task with its brief and result"},
    KindRow{"runs", "get_run", "id", "An attempt at a task"},
};

json::object entry(std::string_view kind, std::string const& name, std::string title) {
  return {{"uri", address_of(kind, name)}, {"name", name}, {"title", std::move(title)}, {"mimeType", kJson}};
}

}  // namespace

std::optional<api::Call> call_for(std::string_view uri, service::Caller const& caller) {
  if (!uri.starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  auto const end = uri.find('/');
  auto const row = std::ranges::find(kKinds, uri.substr(0, end), &KindRow::kind);
  if (end == std::string_view::npos || row == kKinds.end()) return std::nullopt;
  auto const name = core::percent_decoded(uri.substr(end + 1));
  if (!name || name->empty()) return std::nullopt;
  json::object request{{row->field, *name}};
  if (std::int64_t number = 0; row->kind == "runs") {
    auto const parsed = std::from_chars(name->data(), name->data() + name->size(), number);
    if (parsed.ec != std::errc{} || parsed.ptr != name->data() + name->size()) return std::nullopt;
    request[row->field] = number;
  }
  api::Call call;
  call.operation = api::find_operation(row->operation);
  auto decoded = api::decode(*call.operation, request);
  if (!decoded) return std::nullopt;
  call.request = *std::move(decoded);
  call.caller = caller;
  call.caller.source = core::Source::mcp;
  return call;
}

std::string address_of(std::string_view kind, std::string_view name) {
  return std::string{kScheme} + std::string{kind} + "/" + core::percent_encoded(name);
}

json::array resource_templates() {
  json::array out;
  for (auto const& row : kKinds)
    out.push_back(json::object{
        {"uriTemplate", std::string{kScheme} + std::string{row.kind} + "/{" + std::string{row.field} + "}"},
        {"name", api::json_text(row.kind)},
        {"title", api::json_text(row.title)},
        {"mimeType", kJson}});
  return out;
}

void list_resources(StartCall const& start, service::Caller const& caller, std::string const& cursor,
                    Respond respond) {
  if (caller.run)
    return respond(json::object{
        {"resources", json::array{entry("tasks", std::to_string(caller.run->task), "The task of this run"),
                                  entry("runs", std::to_string(caller.run->run), "This run"),
                                  entry("boards", caller.run->board, "Its board")}}});
  std::size_t from = 0;
  auto const parsed = std::from_chars(cursor.data(), cursor.data() + cursor.size(), from);
  if (!cursor.empty() && (parsed.ec != std::errc{} || parsed.ptr != cursor.data() + cursor.size()))
    return respond(fault(Fault::invalid_params, "the cursor \"" + cursor + "\" is none of this server"));
  auto asked = caller;
  asked.source = core::Source::mcp;
  start(api::call_of<&service::list_boards>({}, std::move(asked)),
        [from, respond = std::move(respond)](core::Result<api::Answer> answer) mutable {
          if (!answer) return respond(std::unexpected(protocol_error(answer.error())));
          auto const boards = std::move(*answer).as<service::Boards>();
          if (!boards) return respond(std::unexpected(protocol_error(boards.error())));
          json::array out;
          for (auto i = from; i < boards->items.size() && out.size() < kOfAPage; ++i) {
            auto const& board = boards->items[i];
            out.push_back(entry("boards", board.name, board.title.empty() ? board.name : board.title));
          }
          bool const is_more = from + out.size() < boards->items.size();
          json::object page{{"resources", std::move(out)}};
          if (is_more) page["nextCursor"] = std::to_string(from + kOfAPage);
          respond(std::move(page));
        });
}

json::object document(std::string_view uri, std::string const& answer) {
  return {{"uri", api::json_text(uri)}, {"mimeType", kJson}, {"text", core::visible_text(answer)}};
}

}  // namespace andon::mcp
