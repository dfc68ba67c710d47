#pragma once

#include <filesystem>
#include <istream>
#include <span>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "core/error.hpp"
#include "core/model/stage.hpp"
#include "reflect/yaml.hpp"

namespace andon::cli {

/// One task of a file, as `import_tasks` takes it.
struct ImportItem {
  std::string ref;
  std::vector<std::string> names;  ///< by any of which others may call it; the first is `ref`
  std::string place;               ///< `tasks/003-cart.md`, `issues.csv:12`
  boost::json::object fields;
};

/// Something of the files that has no place in a request.
struct ImportRemark {
  std::string place;
  std::string says;
};

/// The content of another program's files.
struct ImportFile {
  std::string format;
  std::vector<ImportItem> items;
  std::vector<ImportRemark> remarks;
  std::filesystem::path folder{};  ///< of a board of files
};

/// Bounds on what is read from elsewhere.
inline constexpr std::size_t kLongestImport = 32U << 20U;
inline constexpr std::size_t kMostImported = 10'000;

inline constexpr std::string_view kImportFormats = "json, csv, github, kanban-md or backlog";

/// Reads a file or a folder, or the given input for `-`; what it holds is seen from its content unless
/// `format` says so. Refusals name file and line, the file as seen from the
/// working directory.
core::Result<ImportFile> read_import(std::filesystem::path const& path,
                                     std::filesystem::path const& directory, std::istream& input,
                                     std::string_view format);

// The readers of the formats.
core::Result<ImportFile> import_task_list(boost::json::value const& list, std::string const& name);
core::Result<ImportFile> import_github(boost::json::value const& list, std::string const& name);
core::Result<ImportFile> import_csv(std::string_view text, std::string const& name);
core::Result<ImportFile> import_markdown(std::filesystem::path const& board,
                                         std::filesystem::path const& directory, bool is_backlog);

/// Fills the fields of one task, remarking on what has no place. Names of fields are those of Andon,
/// kanban-md, Backlog.md and the usual headers of tables, whatever their case.
class ImportRow {
 public:
  /// The use of a field's value.
  enum class Becomes {
    text,
    words,  ///< a list of texts
    task,   ///< the name of a task
    tasks,  ///< names of tasks
    person,
    date,
    time,
    ref,
    blocked,  ///< a flag
    whole,    ///< as it is
    claim,    ///< named and left behind: whoever works there does not work here
    nothing   ///< left out without a word: it follows from the rest
  };

  ImportRow(ImportFile& file, std::string place) : file_(file), place_(std::move(place)) {}

  /// The first of two fields counts if both give a value that a task has once.
  void take(std::string_view field, boost::json::value const& value);
  void put(std::string_view field, boost::json::value value) { item_.fields[field] = std::move(value); }
  void put_text(std::string_view field, std::string const& text) { put(field, boost::json::value(text)); }
  void remark(std::string says) { file_.remarks.push_back({place_, std::move(says)}); }
  /// Ends the row; one without a title is left out with a remark.
  void add();

 private:
  void fill(Becomes becomes, std::string_view name, boost::json::value const& value);
  void take_text(std::string_view name, std::string const& text);
  void take_tasks(std::string_view name, boost::json::value const& value);
  void take_date(std::string_view name, std::string const& text);
  void take_time(std::string_view name, std::string const& text);
  void take_words(std::string_view name, boost::json::value const& value);
  void take_task(std::string_view name, boost::json::value const& value);
  void take_person(boost::json::value const& value);
  void take_whole(std::string_view name, boost::json::value const& value);

  ImportFile& file_;
  std::string place_;
  ImportItem item_;
  bool blocked_ = false;
};

/// Makes parents and dependencies call each task by its `ref`, whichever of its names they had used.
void use_refs(ImportFile& file);
/// Joins remarks that say the same of many tasks into one.
void gather(std::vector<ImportRemark>& remarks);

}  // namespace andon::cli
