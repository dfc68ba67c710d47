#include "service/boards/import.hpp"

#include <algorithm>
#include <map>

#include "service/tasks/edit.hpp"
#include "service/tasks/kernel/change.hpp"
#include "service/tasks/kernel/task_rules.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

/// The limit of one unit of work. Longer lists need several requests.
constexpr std::size_t kMostImported = 1'000;

/// The tasks of one request by the names they had.
using Places = std::map<std::string, std::size_t, std::less<>>;
/// Tasks that are there already, or would be.
using Earlier = std::map<std::string, core::TaskId>;

Result<Places> places_of(std::vector<ImportedTask> const& items) {
  if (items.empty() || items.size() > kMostImported)
    return core::refuse(Code::kInvalidInput, "between 1 and 1,000 tasks can be imported at once", "items");
  Places out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].ref.empty() || !out.emplace(items[i].ref, i).second)
      return core::refuse(Code::kInvalidInput,
                          items[i].ref.empty() ? "\"ref\" is empty" : "\"" + items[i].ref + "\" stands twice",
                          "items/" + std::to_string(i) + "/ref");
  }
  return out;
}

/// Makes the items fit the board, noting what had to change.
class Fitting {
 public:
  Fitting(core::Board const& board, Places const& places, Earlier const& earlier,
          std::vector<ImportNote>& notes)
      : board_(board), places_(places), earlier_(earlier), notes_(notes) {}

  void fit(ImportedTask& item) {
    item.board = board_.name;
    item.claim.clear();
    fit_status(item);
    if (item.priority)
      fit_word(item, "priority", item.priority->text, board_.default_priority, known_priority);
    fit_word(item, "class", item.class_, board_.default_class, known_class);
    if (item.parent && !knows(*item.parent)) {
      note(item, "parent", item.parent->text, "is not among these tasks; left out");
      item.parent.reset();
    }
    drop(item, "depends_on", item.depends_on, [&](TaskRef const& ref) { return knows(ref); });
    drop(item, "checks", item.checks, [&](std::string const& name) { return board_.checks.contains(name); });
  }

 private:
  bool knows(TaskRef const& ref) const { return places_.contains(ref.text) || earlier_.contains(ref.text); }

  void note(ImportedTask const& item, std::string field, std::string value, std::string says) {
    notes_.push_back({item.ref, std::move(field), std::move(value), std::move(says)});
  }

  void fit_status(ImportedTask& item) {
    if (item.status.empty() && !item.stage) return;
    if (!item.status.empty() && core::find_column(board_, item.status)) return;
    auto const* column = item.stage ? core::landing_column(board_, *item.stage) : nullptr;
    if (!column) column = core::find_column(board_, board_.default_status);
    auto const says = "is no column of " + board_.name + "; put into " + column->name;
    if (!item.status.empty()) note(item, "status", item.status, says);
    item.status = column->name;
  }

  template <class Known>
  void fit_word(ImportedTask const& item, std::string field, std::string& value, std::string const& fallback,
                Known known) {
    if (value.empty() || known(board_, value)) return;
    note(item, field, value, "is no " + field + " of " + board_.name + "; made " + fallback);
    value.clear();
  }

  template <class Item, class Known>
  void drop(ImportedTask const& item, std::string const& field, std::vector<Item>& items, Known known) {
    std::erase_if(items, [&](Item const& one) {
      if (known(one)) return false;
      if constexpr (std::is_same_v<Item, TaskRef>)
        note(item, field, one.text, "is not among these tasks; left out");
      else
        note(item, field, one, "is not known to " + board_.name + "; left out");
      return true;
    });
  }

  core::Board const& board_;
  Places const& places_;
  Earlier const& earlier_;
  std::vector<ImportNote>& notes_;
};

std::string path_text(std::vector<ImportedTask> const& items, std::vector<std::size_t> const& path) {
  std::string out;
  for (auto const i : path) out += (out.empty() ? "" : " -> ") + items[i].ref;
  return out;
}

/// An order in which everything comes after what it depends on, else that of the request.
Result<std::vector<std::size_t>> order_of(std::vector<ImportedTask> const& items, Places const& places) {
  enum class State { unseen, open, placed };
  std::vector<State> states(items.size(), State::unseen);
  std::vector<std::size_t> out;
  for (std::size_t start = 0; start < items.size(); ++start) {
    std::vector<std::size_t> path;
    if (states[start] == State::unseen) path.push_back(start);
    while (!path.empty()) {
      auto const at = path.back();
      states[at] = State::open;
      auto const& links = items[at].depends_on;
      auto const next = std::ranges::find_if(links, [&](TaskRef const& ref) {
        auto const place = places.find(ref.text);
        return place != places.end() && states[place->second] != State::placed;
      });
      if (next == links.end()) {
        states[at] = State::placed;
        out.push_back(at);
        path.pop_back();
        continue;
      }
      path.push_back(places.find(next->text)->second);
      if (states[path.back()] == State::open) {
        path.erase(path.begin(), std::ranges::find(path, path.back()));
        return core::refuse(Code::kDependencyCycle,
                            "the tasks wait for each other: " + path_text(items, path),
                            "items/" + std::to_string(at) + "/depends_on");
      }
    }
  }
  return out;
}

std::unexpected<core::Error> at(core::Error error, std::size_t index) {
  error.field = "items/" + std::to_string(index) + (error.field.empty() ? "" : "/" + error.field);
  return core::refuse(std::move(error));
}

TaskRef numbered(core::TaskId id) { return {std::to_string(id)}; }

/// Creates the items one after another.
class Creating {
 public:
  Creating(OperationContext& ctx, std::vector<ImportedTask> const& items, Places const& places,
           Earlier const& earlier)
      : ctx_(ctx), items_(items), places_(places), earlier_(earlier), created_(items.size()) {}

  Result<void> create(std::size_t index) {
    auto request = static_cast<CreateTaskRequest>(items_[index]);
    request.depends_on.clear();
    for (auto const& ref : items_[index].depends_on)
      if (auto const id = id_of(ref)) request.depends_on.push_back(numbered(*id));
    request.parent.reset();
    if (auto const parent = parent_of(index)) request.parent = numbered(*parent);
    auto const& item = items_[index];
    auto task = create_past_task(ctx_, request, {item.created, item.started, item.completed, item.blocked});
    if (!task) return at(std::move(task).error(), index);
    created_[index] = {item.ref, task->id, task->key, task->title, task->status};
    return {};
  }

  /// A parent that depends on its own part comes after it and is named afterwards.
  Result<void> name_late_parents(std::vector<std::size_t> const& order) {
    std::vector<bool> seen(items_.size());
    for (auto const index : order) {
      seen[index] = true;
      auto const& parent = items_[index].parent;
      auto const place = parent ? places_.find(parent->text) : places_.end();
      if (place == places_.end() || seen[place->second]) continue;
      EditTaskRequest request;
      request.id = numbered(created_[index].id);
      request.parent = numbered(*parent_of(index));
      if (auto edited = edit_task(ctx_, request); !edited) return at(std::move(edited).error(), index);
    }
    return {};
  }

  std::vector<ImportedAs> take() { return std::move(created_); }

 private:
  /// The number of a task, once it has one.
  std::optional<core::TaskId> id_of(TaskRef const& ref) const {
    auto const place = places_.find(ref.text);
    auto const id = place == places_.end() ? earlier_.at(ref.text) : created_[place->second].id;
    return id == 0 ? std::nullopt : std::optional{id};
  }
  std::optional<core::TaskId> parent_of(std::size_t index) const {
    auto const& parent = items_[index].parent;
    return parent ? id_of(*parent) : std::nullopt;
  }

  OperationContext& ctx_;
  std::vector<ImportedTask> const& items_;
  Places const& places_;
  Earlier const& earlier_;
  std::vector<ImportedAs> created_;
};

}  // namespace

Result<Imported> import_tasks(OperationContext& ctx, ImportTasksRequest const& r) {
  ANDON_TRY(auto const* found, find_board(ctx, r.board));
  auto const board = *found;
  ANDON_TRY(auto const places, places_of(r.items));
  Imported out{board.name, {}, {}};
  auto items = r.items;
  Fitting fitting(board, places, r.earlier, out.notes);
  for (auto& item : items) fitting.fit(item);
  ANDON_TRY(auto const order, order_of(items, places));
  auto importer = ctx.caller;
  importer.source = core::Source::import;
  OperationContext inner{ctx.tx, ctx.now, importer, ctx.jitter, ctx.mutation, {}, ctx.origin, ctx.zones};
  Creating creating(inner, items, places, r.earlier);
  for (auto const index : order) ANDON_CHECK(creating.create(index));
  ANDON_CHECK(creating.name_late_parents(order));
  out.items = creating.take();
  ctx.dry_run = r.dry_run;
  return out;
}

}  // namespace andon::service
