#include "cli/import/import_file.hpp"

#include <algorithm>

#include "cli/command_line/request.hpp"
#include "cli/views/display_path.hpp"
#include "core/text/names.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using core::Code;
using core::Result;

constexpr reflect::JsonLimits kJson{64, 2'000'000};
constexpr std::size_t kLongestBoardConfig = 1U << 20U;

/// The folder with the board in it: the one named, or the one a project keeps it in.
fs::path board_in(fs::path const& folder) {
  for (auto const* name : {"kanban", "backlog"})
    if (!fs::is_directory(folder / "tasks") && fs::is_directory(folder / name / "tasks"))
      return folder / name;
  return folder;
}

/// Backlog.md names its tasks `task-1 - Title.md` and its project in the config.
bool is_backlog(fs::path const& board) {
  auto const config = os::read_file_if_there(board / "config.yml", kLongestBoardConfig).value_or("");
  if (config.contains("project_name:")) return true;
  if (config.contains("tasks_dir:")) return false;
  for (auto const& entry : fs::directory_iterator(board / "tasks"))
    if (auto const name = core::folded(entry.path().filename().native()); name.starts_with("task"))
      return true;
  return false;
}

Result<ImportFile> read_folder(fs::path const& folder, fs::path const& directory, std::string_view format) {
  auto const board = board_in(folder);
  if (!fs::is_directory(board / "tasks") && !fs::exists(board / "config.yml"))
    return core::refuse(Code::kInvalidInput, display_path(directory, folder) +
                                                 " is no board: it holds neither tasks/ nor config.yml");
  if (format.empty()) return import_markdown(board, directory, is_backlog(board));
  if (format == "kanban-md" || format == "backlog")
    return import_markdown(board, directory, format == "backlog");
  return core::refuse(Code::kInvalidInput,
                      "a folder is read as kanban-md or backlog, not as " + std::string{format}, "format");
}

/// The first task of a list, or null.
json::object const* first_task(json::value const& list) {
  auto const* object = list.if_object();
  auto const* items = object ? object->if_contains("items") : &list;
  auto const* array = items ? items->if_array() : nullptr;
  return array && !array->empty() ? array->front().if_object() : nullptr;
}

Result<ImportFile> read_json(std::string const& text, std::string const& name, std::string_view format) {
  auto parsed = reflect::parse_json(text, kJson);
  if (!parsed) return core::refuse(parsed.error().code, name + ": " + parsed.error().message);
  auto const* first = first_task(*parsed);
  bool const is_issue = first && first->contains("number");
  return format == "github" || (format.empty() && is_issue) ? import_github(*parsed, name)
                                                            : import_task_list(*parsed, name);
}

Result<ImportFile> read_text(std::string const& text, std::string const& name, std::string_view format) {
  if (!core::is_utf8(text)) return core::refuse(Code::kMalformed, name + " is not valid UTF-8");
  auto const start = text.find_first_not_of(" \t\r\n");
  bool const looks_like_json = start != std::string::npos && (text[start] == '[' || text[start] == '{');
  if (format == "csv" || (format.empty() && !looks_like_json)) return import_csv(text, name);
  if (format.empty() || format == "json" || format == "github") return read_json(text, name, format);
  return core::refuse(Code::kInvalidInput,
                      "a file is read as json, csv or github, not as " + std::string{format}, "format");
}

}  // namespace

Result<ImportFile> read_import(fs::path const& given, fs::path const& directory, std::istream& input,
                               std::string_view format) try {
  constexpr std::array<std::string_view, 6> kKnown{"", "json", "csv", "github", "kanban-md", "backlog"};
  if (std::ranges::find(kKnown, format) == kKnown.end())
    return core::refuse(Code::kInvalidInput, "\"--format\" must be " + std::string{kImportFormats}, "format");
  if (given == "-") {
    ANDON_TRY(auto const text, read_input(input, kLongestImport));
    return read_text(text, "standard input", format);
  }
  auto const path = directory / given;
  if (fs::is_directory(path)) return read_folder(path, directory, format);
  return read_text(os::read_file(path, kLongestImport), display_path(directory, path), format);
} catch (os::SystemError const& error) {
  return core::refuse(Code::kInvalidInput, error.what());
} catch (fs::filesystem_error const& error) {
  return core::refuse(Code::kInvalidInput, error.what());
}

}  // namespace andon::cli
