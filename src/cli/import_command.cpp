#include <algorithm>

#include "cli/import_file.hpp"
#include "cli/invocation.hpp"
#include "cli/named_commands.hpp"
#include "cli/safe_text.hpp"
#include "cli/table.hpp"
#include "core/names.hpp"
#include "service/import.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Code;
using core::Result;

json::object request_of(Invocation& in, ImportFile const& file) {
  json::array items;
  auto const status = in.given().value("status");
  for (auto const& item : file.items) {
    auto fields = item.fields;
    if (status) fields["status"] = *status;
    items.push_back(std::move(fields));
  }
  json::object out{{"items", std::move(items)}};
  if (auto const board = in.board(); !board.empty()) out["board"] = board;
  if (in.given().has("dry-run")) out["dry_run"] = true;
  return out;
}

std::string place_of_task(ImportFile const& file, std::string const& ref) {
  auto const item = std::ranges::find(file.items, ref, &ImportItem::ref);
  return item == file.items.end() ? ref : item->place;
}

/// The refusal with the place of the task it is about.
core::Error placed(ImportFile const& file, core::Error error) {
  constexpr std::string_view kItems = "items/";
  if (!error.field.starts_with(kItems)) return error;
  auto const index = std::strtoul(error.field.c_str() + kItems.size(), nullptr, 10);
  if (index < file.items.size()) error.message = file.items[index].place + ": " + error.message;
  return error;
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
  ANDON_CHECK(check_refs(file));
  use_refs(file);
  auto const told = in.call("import_tasks", request_of(in, file));
  if (!told) return core::refuse(placed(file, told.error()));
  ANDON_TRY(auto const done, answer_as<service::Imported>(*told));
  if (in.screen().is_json())
    in.screen().print(answer(file, done));
  else
    in.screen().print(import_page(file, done, in.given().has("dry-run")));
  return 0;
}

}  // namespace andon::cli
