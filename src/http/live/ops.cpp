#include "http/live/ops.hpp"

#include <boost/json/serialize.hpp>

#include "reflect/json.hpp"
#include "service/insight/live.hpp"
#include "service/workers/workers.hpp"

namespace andon::http {
namespace {

namespace json = boost::json;

template <class T>
std::string whole(T const& object) {
  std::string out;
  reflect::write_whole_json(reflect::type_of<T>(), &object, out);
  return out;
}

/// The JSON of a card. An empty line of a live run is left out, since only `line` operations change it.
std::string card_json(service::Card const& card) {
  constexpr std::string_view kNoLine = R"(,"line":null)";
  auto out = whole(card);
  if (card.run && card.line.empty())
    if (auto const at = out.rfind(kNoLine); at != std::string::npos) out.erase(at, kNoLine.size());
  return out;
}

std::string task_op(service::TouchedTask const& task) {
  std::string out = task.gone ? R"({"op":"gone","id":)" : R"({"op":"task","id":)";
  out += std::to_string(task.id) + R"(,"rev":)" + std::to_string(task.rev);
  if (!task.gone) out += R"(,"set":)" + card_json(task.card);
  return out + R"(,"why":)" + reflect::to_json(task.why) + "}";
}

std::string counts_of(core::Board const& board) {
  std::string out = R"({"columns":{)";
  std::string_view separator;
  for (auto const& column : board.columns) {
    out += separator;
    reflect::write_string(column.name, out);
    out += R"(:{"count":)" + std::to_string(column.count.value_or(0)) + "}";
    separator = ",";
  }
  return out + "}}";
}

std::string board_op(core::Board const& board, bool edited) {
  return R"({"op":"board","rev":)" + std::to_string(board.rev) + R"(,"set":)" +
         (edited ? whole(board) : counts_of(board)) + "}";
}

std::string dispatch_op(service::DispatchLight const& light) {
  return R"({"op":"dispatch","set":)" + whole(light) + "}";
}

std::string worker_op(std::string_view name, json::object const& set) {
  std::string out = R"({"op":"worker","id":)";
  reflect::write_string(name, out);
  return out + R"(,"set":)" + json::serialize(set) + "}";
}

std::string worker_gone_op(std::string_view name) {
  std::string out = R"({"op":"worker","id":)";
  reflect::write_string(name, out);
  return out + R"(,"gone":true})";
}

json::object state_of(core::Worker const& worker) {
  auto parsed = reflect::parse_json(whole(worker));
  return parsed && parsed->is_object() ? std::move(parsed->as_object()) : json::object{};
}

json::object difference(json::object const& before, json::object const& now) {
  json::object out;
  for (auto const& [key, value] : now)
    if (auto const* old = before.if_contains(key); !old || *old != value) out[key] = value;
  return out;
}

void tell(core::Worker const& worker, std::string const& op, std::vector<std::string> const& boards,
          OpsByBoard& out) {
  for (auto const& board : boards)
    if (core::serves(worker, board)) append_op(out[board], op);
}

/// Appends a changed worker: in full to the boards that it serves, and a removal to the others.
void tell_anew(service::OperationContext& u, std::string const& name, std::vector<std::string> const& boards,
               OpsByBoard& out) {
  auto const worker = service::lit_worker(u, name);
  auto const op = worker ? worker_op(name, state_of(*worker)) : std::string{};
  for (auto const& board : boards)
    append_op(out[board], worker && core::serves(*worker, board) ? op : worker_gone_op(name));
}

}  // namespace

void append_op(std::string& ops, std::string_view op) {
  if (!ops.empty()) ops += ',';
  ops += op;
}

std::string line_op(core::TaskId task, std::string_view text) {
  std::string out = R"({"op":"line","id":)" + std::to_string(task) + R"(,"text":)";
  reflect::write_string(text, out);
  return out + "}";
}

Delta delta_since(service::OperationContext& u, core::EventSeq since, std::vector<std::string> const& boards,
                  std::size_t most) {
  auto const changes = service::changes_since(u, since, boards, most);
  Delta out{changes.from, changes.to, changes.too_many, {}};
  for (auto const& changed : changes.boards) {
    auto& ops = out.ops[changed.board];
    for (auto const& task : changed.tasks) append_op(ops, task_op(task));
    if (changed.counts) append_op(ops, board_op(*changed.counts, changed.board_edited));
    if (changed.counts && changed.board_edited)
      append_op(ops, dispatch_op(service::dispatch_light(u, *changed.counts)));
  }
  for (auto const& name : changes.workers) tell_anew(u, name, boards, out.ops);
  if (!changes.dispatch_changed) return out;
  for (auto const& name : boards)
    if (auto const light = service::dispatch_light_of(u, name)) append_op(out.ops[name], dispatch_op(*light));
  return out;
}

OpsByBoard worker_changes(service::OperationContext& u, std::vector<std::string> const& boards,
                          WorkerBook& book) {
  OpsByBoard out;
  WorkerBook now;
  for (auto const& worker : service::lit_workers(u)) {
    auto state = state_of(worker);
    auto const changed = difference(book[worker.name], state);
    if (!changed.empty()) tell(worker, worker_op(worker.name, changed), boards, out);
    now.emplace(worker.name, std::move(state));
  }
  book = std::move(now);
  return out;
}

OpsByBoard all_workers(service::OperationContext& u, std::vector<std::string> const& boards) {
  OpsByBoard out;
  for (auto const& worker : service::lit_workers(u))
    tell(worker, worker_op(worker.name, state_of(worker)), boards, out);
  return out;
}

}  // namespace andon::http
