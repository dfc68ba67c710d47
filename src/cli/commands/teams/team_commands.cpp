#include "api/operation.hpp"
#include "cli/command_line/invocation.hpp"
#include "cli/command_line/named_commands.hpp"
#include "cli/commands/teams/role_documents.hpp"
#include "cli/commands/teams/team_file.hpp"
#include "cli/views/change_views.hpp"
#include "cli/views/display_path.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "reflect/yaml.hpp"
#include "service/teams/team.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using core::Code;
using core::Result;

/// A team is a board's beginning: without a board one is made here, as `init` does.
Result<Location> team_place(Invocation& in) {
  ANDON_TRY(auto location, in.location());
  auto const* data = std::get_if<DataDirectory>(&location);
  bool const is_named = in.given().value("dir") || !in.env().variable("ANDON_DIR").empty() ||
                        !in.env().variable("ANDON_HOME").empty();
  if (!data || is_named || holds_data(data->root)) return location;
  return DataDirectory{in.env().directory / ".andon"};
}

Result<Connection> open_board(Invocation& in, Location const& location) {
  auto const missing = in.given().has("dry-run") ? IfMissing::use_empty_board : IfMissing::make;
  return connect(location, in.given().value("as").value_or(""), in.env(), missing);
}

Result<json::value> ask(Connection const& open, api::Operation const& operation,
                        json::object const& request) {
  api::Call call;
  call.operation = &operation;
  ANDON_SET(call.request, api::decode(*call.operation, request));
  call.caller = open.caller;
  ANDON_TRY(auto const answer, open.executor->run(std::move(call)));
  return reflect::parse_json(answer.text(), api::kAnswerLimits);
}

/// One team on its way into a board.
class Applying {
 public:
  Applying(Invocation& in, TeamFile file) : in_(in), file_(std::move(file)) {}

  Result<service::TeamChanges> run() {
    ANDON_TRY(auto const location, team_place(in_));
    ANDON_CHECK(check_documents(location));
    auto const* made = std::get_if<DataDirectory>(&location);
    bool const is_new = made && !holds_data(made->root);
    ANDON_SET(connection_, open_board(in_, location));
    if (is_new && !dry_run())
      in_.screen().tell("Made a new store in " + display_path(in_.env().directory, made->root));
    if (file_.documents().empty()) return apply(dry_run());
    auto const& data = std::get<DataDirectory>(location).root;
    auto found = document_changes(data, file_.documents());
    if (!dry_run()) {
      // Only a team that is accepted brings its documents, and they are there before its first worker starts.
      ANDON_CHECK(apply(true));
      write_documents(data, file_.documents());
    }
    ANDON_TRY(auto changes, apply(dry_run()));
    changes.changes.insert(changes.changes.end(), found.begin(), found.end());
    return changes;
  }

  bool dry_run() const { return in_.given().has("dry-run"); }

 private:
  Result<void> check_documents(Location const& location) const {
    if (file_.documents().empty() || std::holds_alternative<DataDirectory>(location)) return {};
    return core::refuse(
        Code::kInvalidInput,
        "role documents such as " + file_.documents().front().name +
            " are files of the server's data directory; apply them there with --dir, or write them "
            "into the team's file as \"prompt\"",
        "prompt_file");
  }

  Result<service::TeamChanges> apply(bool dry_run) {
    auto request = file_.request();
    if (dry_run) request["dry_run"] = true;
    if (in_.given().has("prune")) request["prune"] = true;
    auto answer = ask(connection_, api::row_of<&service::apply_team>(), request);
    if (!answer) return core::refuse(file_.placed(std::move(answer).error()));
    return answer_as<service::TeamChanges>(*answer);
  }

  Invocation& in_;
  TeamFile file_;
  Connection connection_;
};

/// Columns say only what is not so anyway.
void tidy_columns(json::value& board) {
  auto* const columns = board.as_object().if_contains("columns");
  if (!columns) return;
  for (auto& column : columns->as_array()) {
    auto& c = column.as_object();
    if (c.contains("require_claim") && !c["require_claim"].as_bool()) c.stable_erase("require_claim");
    if (c.contains("title") && c["title"] == c["name"]) c.stable_erase("title");
  }
}

/// Name and template first; the codec puts what a struct adds to another behind it.
json::object name_first(json::object const& item) {
  json::object out;
  for (auto const* key : {"name", "template"})
    if (auto const* value = item.if_contains(key); value && value->is_string()) out[key] = *value;
  for (auto const& [key, value] : item) out.emplace(key, value);
  return out;
}

std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    auto const line = text.substr(0, text.find('\n') + 1);
    out.append(line == "\n" ? "" : "  ").append(line);
    text.remove_prefix(line.size());
  }
  return out;
}

/// The team as people keep it: a section for each kind, a blank line between things.
std::string team_text(json::object const& team) {
  std::string out = "# A team for: andon apply FILE\n";
  for (auto const& [section, items] : team) {
    out.append("\n").append(section).append(items.as_array().empty() ? ": []\n" : ":\n");
    bool first = true;
    for (auto const& item : items.as_array()) {
      if (!std::exchange(first, false)) out += '\n';
      out += indented(reflect::to_yaml(json::array{name_first(item.as_object())}));
    }
  }
  return out;
}

std::vector<std::string> documents_named(json::object const& team) {
  std::vector<std::string> out;
  for (auto const& worker : team.at("workers").as_array())
    if (auto const name = text_of(worker.as_object(), "prompt_file"); !name.empty()) out.push_back(name);
  return out;
}

/// A folder with `team.yml` and its role documents.
Result<int> export_folder(Invocation& in, fs::path const& folder, json::object const& team) try {
  auto const file = folder / "team.yml";
  if (fs::exists(file) && !in.given().has("force"))
    return core::refuse(Code::kInvalidInput, file.native() + " is there already; --force replaces it");
  ANDON_TRY(auto const location, in.location());
  std::vector<RoleDocument> documents;
  if (auto const* data = std::get_if<DataDirectory>(&location))
    documents = read_documents(data->root, documents_named(team));
  os::make_private_directory(folder);
  write_documents(folder, documents);
  os::write_file(file, team_text(team), 0644);
  in.screen().tell("Wrote " + file.native() +
                   (documents.empty() ? "" : " and " + std::to_string(documents.size()) + " role documents"));
  return 0;
} catch (os::SystemError const& error) {
  return core::refuse(Code::kInvalidInput, error.what());
}

}  // namespace

Result<int> run_apply(Invocation& in) try {
  if (in.given().words.size() != 1)
    return misuse("name one file or folder that describes the team: " + in.env().program + " apply FILE|DIR");
  auto const& word = in.given().words.front();
  ANDON_TRY(auto file, TeamFile::read(word, in.env().directory, in.env().in));
  Applying applying(in, std::move(file));
  ANDON_TRY(auto const changes, applying.run());
  if (in.screen().is_json()) {
    ANDON_TRY(auto const answer, reflect::parse_json(reflect::to_json(changes), {64, 1'000'000}));
    in.screen().print(answer);
  } else {
    in.screen().print(change_page(changes, applying.dry_run(), in.screen()));
  }
  return 0;
} catch (os::SystemError const& error) {
  return core::refuse(Code::kInvalidInput, error.what());
}

Result<int> run_export(Invocation& in) {
  if (in.given().words.size() > 1) return misuse("accepts at most 1 arg(s): the folder to write to");
  ANDON_TRY(auto const answer, in.call<&service::export_team>({}));
  auto team = answer.as_object();
  for (auto& board : team["boards"].as_array()) tidy_columns(board);
  if (!in.given().words.empty())
    return export_folder(in, in.env().directory / in.given().words.front(), team);
  if (in.screen().is_json())
    in.screen().print(team);
  else
    in.screen().print(team_text(team));
  return 0;
}

}  // namespace andon::cli
