#include <algorithm>

#include "cli/command_line/named_commands.hpp"
#include "cli/import/import_file.hpp"
#include "cli/views/display_path.hpp"
#include "core/text/names.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using core::Code;
using core::Result;
using reflect::YamlNode;

constexpr std::size_t kLongestTask = 2U << 20U;
constexpr reflect::YamlLimits kFrontMatter{64U << 10U, 16, 2'000};

reflect::Type const& any() { return reflect::type_of<json::value>(); }

std::vector<fs::path> markdown_files(fs::path const& folder) {
  std::vector<fs::path> out;
  if (!fs::is_directory(folder)) return out;
  for (auto const& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".md" && fs::is_regular_file(entry.symlink_status()))
      out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

/// A task's file in two: the front matter with its first `---`, and what follows the second.
struct Parts {
  std::string_view front;
  std::string_view body;
};
std::optional<Parts> parts_of(std::string_view text) {
  if (!text.starts_with("---\n") && !text.starts_with("---\r\n")) return std::nullopt;
  auto line = text.find('\n') + 1;
  while (line < text.size()) {
    auto const end = std::min(text.find('\n', line), text.size());
    auto const says = text.substr(line, end - line);
    if (says == "---" || says == "---\r") {
      auto body = text.substr(std::min(end + 1, text.size()));
      auto const first = body.find_first_not_of("\r\n");
      return Parts{text.substr(0, line), first == std::string_view::npos ? "" : body.substr(first)};
    }
    line = end + 1;
  }
  return std::nullopt;
}

/// The names of the columns in a board's config: plain texts, or maps with a `name`.
std::vector<std::string> statuses_of(YamlNode const& config) {
  std::vector<std::string> out;
  auto const* statuses = config.find("statuses");
  if (!statuses) return out;
  for (auto const& item : statuses->items) {
    auto const* name = item.find("name");
    out.push_back(name ? name->text : item.text);
  }
  return out;
}

class Folder {
 public:
  Folder(fs::path board, fs::path directory, bool is_backlog)
      : board_(std::move(board)), directory_(std::move(directory)) {
    out_.format = is_backlog ? "backlog" : "kanban-md";
  }

  Result<ImportFile> read() {
    std::string tasks = "tasks";
    if (auto const text = os::read_file_if_there(board_ / "config.yml", kFrontMatter.bytes)) {
      ANDON_TRY(auto const config, reflect::parse_yaml(*text, shown(board_ / "config.yml"), kFrontMatter));
      ANDON_CHECK(take_columns(config));
      if (auto const* named = config.find("tasks_dir"); named && core::is_name(named->text))
        tasks = named->text;
    }
    for (auto const& folder : {tasks, std::string{"completed"}}) {
      auto const files = markdown_files(board_ / folder);
      if (files.size() > kMostImported)
        return core::refuse(Code::kTooLarge, shown(board_) + " holds too many tasks");
      for (auto const& file : files) ANDON_CHECK(take_task(file));
      if (out_.format == "kanban-md") break;
    }
    return std::move(out_);
  }

 private:
  std::string shown(fs::path const& path) const { return display_path(directory_, path); }

  /// Takes the stages of the file's columns, for columns that the target board does not have.
  Result<void> take_columns(YamlNode const& config) {
    auto statuses = statuses_of(config);
    std::erase(statuses, "archived");
    for (auto& status : statuses) std::ranges::replace(status, ':', ' ');
    if (statuses.empty()) return {};
    ANDON_SET(columns_, columns_from(statuses));
    return {};
  }

  Result<void> take_task(fs::path const& file) {
    auto const text = os::read_file(file, kLongestTask);
    ImportRow row(out_, shown(file));
    auto const parts = parts_of(text);
    if (!parts || !core::is_utf8(text)) {
      row.remark("it has no front matter between two lines of ---; left out");
      return {};
    }
    ANDON_TRY(auto const front, reflect::parse_yaml(parts->front, shown(file), kFrontMatter));
    if (auto const* status = front.find("status"); status && core::same_name(status->text, "archived")) {
      row.remark("it is archived; left out");
      return {};
    }
    if (auto const* id = front.find("id")) row.take("id", json::value(id->text));
    for (auto const& entry : front.entries) row.take(entry.key, reflect::json_of(entry.value, any()));
    if (auto const* status = front.find("status")) put_stage(row, status->text);
    if (!parts->body.empty()) row.put_text("body", std::string{parts->body});
    row.add();
    return {};
  }

  void put_stage(ImportRow& row, std::string const& status) const {
    for (auto const& column : columns_)
      if (core::same_name(column.name, status))
        row.put_text("stage", std::string{core::to_text(column.stage)});
  }

  fs::path board_;
  fs::path directory_;
  ImportFile out_;
  std::vector<core::Column> columns_;
};

}  // namespace

Result<ImportFile> import_markdown(fs::path const& board, fs::path const& directory, bool is_backlog) {
  ANDON_TRY(auto out, Folder(board, directory, is_backlog).read());
  out.folder = board;
  return out;
}

}  // namespace andon::cli
