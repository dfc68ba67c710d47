#include <algorithm>
#include <map>

#include "cli/command_line/invocation.hpp"
#include "cli/command_line/named_commands.hpp"
#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/table.hpp"
#include "cli/import/import_file.hpp"
#include "cli/import/import_slices.hpp"
#include "core/model/task.hpp"
#include "core/text/names.hpp"
#include "os/random.hpp"
#include "service/boards/boards.hpp"
#include "service/boards/import.hpp"
#include "service/tasks/edit.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Code;
using core::Result;

/// The tasks of earlier requests, by ref.
using Earlier = std::map<std::string, core::TaskId>;

json::object request_of(Invocation& in, ImportFile const& file, std::vector<std::size_t> const& slice,
                        Earlier const& earlier, bool dry_run) {
  json::array items;
  auto const status = in.given().value("status");
  for (auto const place : slice) {
    auto fields = file.items[place].fields;
    if (status) fields["status"] = *status;
    items.push_back(std::move(fields));
  }
  json::object out{{"items", std::move(items)}};
  if (auto const board = in.board(); !board.empty()) out["board"] = board;
  if (dry_run) out["dry_run"] = true;
  if (!earlier.empty()) {
    auto& ids = out["earlier"].emplace_object();
    for (auto const& [ref, task] : earlier) ids[ref] = std::int64_t{task};
  }
  return out;
}

std::string place_of_task(ImportFile const& file, std::string const& ref) {
  auto const item = std::ranges::find(file.items, ref, &ImportItem::ref);
  return item == file.items.end() ? ref : item->place;
}

/// The refusal with the place of the task it is about.
core::Error placed(ImportFile const& file, std::vector<std::size_t> const& slice, core::Error error) {
  constexpr std::string_view kItems = "items/";
  if (!error.field.starts_with(kItems)) return error;
  auto const index = std::strtoul(error.field.c_str() + kItems.size(), nullptr, 10);
  if (index < slice.size()) error.message = file.items[slice[index]].place + ": " + error.message;
  return error;
}

using Slices = std::vector<std::vector<std::size_t>>;

/// The requests of an import that were answered, so that a second call continues it.
class Requests {
 public:
  Requests(Invocation& in, ImportFile const& file, Slices const& slices, std::string name)
      : in_(in), file_(file), slices_(slices), name_(std::move(name)) {}

  /// The result of importing all of them. Nothing is written.
  Result<service::Imported> rehearse() {
    service::Imported out;
    Earlier earlier;
    for (auto const& slice : slices_) {
      ANDON_TRY(auto part, one(slice, earlier, true, {}));
      for (auto& item : part.items) {
        if (!earlier.empty()) item.key.clear();
        item.id = core::TaskId{item.id + std::ssize(earlier)};
      }
      for (auto const place : slice) earlier[file_.items[place].ref] = 0;
      add(out, std::move(part));
    }
    return out;
  }

  Result<service::Imported> carry_out() {
    service::Imported out;
    Earlier earlier;
    for (std::size_t i = 0; i < slices_.size(); ++i) {
      auto key = slices_.size() > 1 ? name_ + "-" + std::to_string(i) : std::string{};
      auto part = one(slices_[i], earlier, false, std::move(key));
      if (!part) return core::refuse(left_off(std::move(part).error(), earlier.size()));
      for (auto const& item : part->items) earlier[item.ref] = item.id;
      add(out, *std::move(part));
    }
    if (auto named = name_late_parents(earlier); !named) {
      auto error = std::move(named).error();
      error.message += "; all tasks were imported, but some have no parent yet";
      return core::refuse(left_off(std::move(error), earlier.size()));
    }
    return out;
  }

 private:
  Result<service::Imported> one(std::vector<std::size_t> const& slice, Earlier const& earlier, bool dry_run,
                                std::string key) {
    auto const told =
        in_.call<&service::import_tasks>(request_of(in_, file_, slice, earlier, dry_run), {}, std::move(key));
    if (!told) return core::refuse(placed(file_, slice, told.error()));
    return answer_as<service::Imported>(*told);
  }

  static void add(service::Imported& out, service::Imported part) {
    out.board = std::move(part.board);
    std::ranges::move(part.items, std::back_inserter(out.items));
    std::ranges::move(part.notes, std::back_inserter(out.notes));
  }

  core::Error left_off(core::Error error, std::size_t done) const {
    if (done > 0)
      error.message += "; " + std::to_string(done) + " of " + std::to_string(file_.items.size()) +
                       " tasks were imported, go on with the same command and --resume " + name_;
    return error;
  }

  /// A parent that had to come after its part.
  Result<void> name_late_parents(Earlier const& ids) {
    std::map<std::string_view, std::size_t> request_of_ref;
    for (std::size_t i = 0; i < slices_.size(); ++i)
      for (auto const place : slices_[i]) request_of_ref[file_.items[place].ref] = i;
    for (auto const& item : file_.items) {
      auto const parent = text_of(item.fields, "parent");
      auto const found = request_of_ref.find(parent);
      if (found == request_of_ref.end() || found->second <= request_of_ref[item.ref]) continue;
      json::object const edit{{"id", std::to_string(ids.at(item.ref))},
                              {"parent", std::to_string(ids.at(parent))}};
      ANDON_CHECK(in_.call<&service::edit_task>(edit));
    }
    return {};
  }

  Invocation& in_;
  ImportFile const& file_;
  Slices const& slices_;
  std::string name_;
};

/// Many tasks come by several requests, so that others get on meanwhile: all are tried before the first is
/// carried out.
Result<service::Imported> import(Invocation& in, ImportFile const& file) {
  ANDON_TRY(auto const slices, import_slices(file));
  Requests requests{in, file, slices, in.given().value("resume").value_or(os::random_uuid())};
  if (in.given().has("dry-run")) return requests.rehearse();
  if (slices.size() > 1 && !in.given().has("resume")) ANDON_CHECK(requests.rehearse());
  return requests.carry_out();
}

/// One task twice has no answer: whatever depends on it could mean either.
Result<void> check_refs(ImportFile const& file) {
  std::map<std::string_view, std::string_view> seen;
  for (auto const& item : file.items) {
    auto const [first, is_new] = seen.emplace(item.ref, item.place);
    if (!is_new)
      return core::refuse(Code::kInvalidInput, item.place + ": the task \"" + item.ref + "\" stands in " +
                                                   std::string{first->second} + " already");
  }
  return {};
}

/// The directory of the board that would take the tasks, where it is one of files.
std::filesystem::path target_folder(Invocation& in) {
  auto const place = in.location();
  if (!place || std::holds_alternative<Server>(*place)) return {};
  if (auto const* board = std::get_if<BoardDirectory>(&*place)) return board->root;
  json::object request;
  if (auto const name = in.board(); !name.empty()) request["board"] = name;
  auto const board = in.call<&service::get_board>(request);
  return board ? std::filesystem::path{text_of(board->as_object(), "directory")} : std::filesystem::path{};
}

/// A board that took its own tasks would have each of them twice.
Result<void> check_other_board(Invocation& in, ImportFile const& file) {
  if (file.folder.empty()) return {};
  auto const target = target_folder(in);
  std::error_code none;
  if (target.empty() || !std::filesystem::equivalent(file.folder, target, none)) return {};
  return core::refuse(Code::kInvalidInput,
                      target.native() +
                          " is the board that would take the tasks, so it has them already; name "
                          "another one with --dir, such as --dir .andon, or --server");
}

std::vector<ImportRemark> remarks_of(ImportFile const& file, service::Imported const& done) {
  auto out = file.remarks;
  for (auto const& note : done.notes)
    out.push_back({place_of_task(file, note.ref), note.field + " \"" + note.value + "\" " + note.says});
  gather(out);
  return out;
}

std::string import_page(ImportFile const& file, service::Imported const& done, bool dry_run) {
  Table table({{"FROM", 6, 24}, {"ID", 4, 0}, {"STATUS", 8, 0}, {"TITLE", 5, 60}});
  for (auto const& item : done.items)
    table.add({item.ref, item.key.empty() ? std::to_string(item.id) : item.key, item.status, item.title});
  auto const count = done.items.size() == 1 ? "1 task" : std::to_string(done.items.size()) + " tasks";
  std::string out = (dry_run ? "Would import " : "Imported ") + count + " to " + one_line(done.board) + " (" +
                    file.format + ")\n\n" + table.text();
  auto const remarks = remarks_of(file, done);
  if (!remarks.empty()) out += "\nNot taken over as it was:\n";
  for (auto const& remark : remarks)
    out += "  " + one_line(remark.place) + ": " + one_line(remark.says) + "\n";
  return out + (dry_run ? "\nNothing was written.\n" : "");
}

json::object answer(ImportFile const& file, service::Imported const& done) {
  json::array items;
  for (auto const& item : done.items)
    items.push_back({{"ref", item.ref}, {"id", item.id}, {"title", item.title}, {"status", item.status}});
  json::array notes;
  for (auto const& remark : remarks_of(file, done))
    notes.push_back({{"place", remark.place}, {"says", remark.says}});
  return {{"board", done.board},
          {"format", file.format},
          {"imported", std::move(items)},
          {"notes", std::move(notes)}};
}

}  // namespace

Result<int> run_import(Invocation& in) {
  if (in.given().words.size() != 1)
    return misuse("name one file or folder to import: " + in.env().program + " import FILE|DIR");
  auto const& word = in.given().words.front();
  ANDON_TRY(auto file,
            read_import(word, in.env().directory, in.env().in, in.given().value("format").value_or("")));
  if (file.items.empty()) {
    for (auto const& remark : file.remarks) in.screen().tell(remark.place + ": " + remark.says);
    return core::refuse(Code::kInvalidInput, word + " holds no task that can be imported");
  }
  ANDON_CHECK(check_other_board(in, file));
  ANDON_CHECK(check_refs(file));
  use_refs(file);
  ANDON_TRY(auto const done, import(in, file));
  if (in.screen().is_json())
    in.screen().print(answer(file, done));
  else
    in.screen().print(import_page(file, done, in.given().has("dry-run")));
  return 0;
}

}  // namespace andon::cli
