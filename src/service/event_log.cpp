#include "service/event_log.hpp"

#include "reflect/json.hpp"

namespace andon::service {
namespace {

std::string as_json(Facts const& facts) {
  if (facts.empty()) return {};
  std::string out;
  char separator = '{';
  for (auto const& [name, value] : facts) {
    out += separator;
    reflect::write_string(name, out);
    out += ':';
    reflect::write_string(value, out);
    separator = ',';
  }
  return out + '}';
}

/// A write to the board counts as progress of the run that writes.
void note_progress(Unit& u) {
  if (!is_run(u)) return;
  auto run = u.tx.run(u.caller.run->run);
  if (!run || run->state == core::RunState::ended || run->progress == u.now) return;
  run->progress = u.now;
  u.tx.put(*run);
}

}  // namespace

void tell(Unit& u, core::Event event, Facts const& facts) {
  event.ts = u.now;
  event.actor = u.caller.actor;
  event.mutation = u.mutation;
  event.data = as_json(facts);
  u.tx.append(std::move(event));
  note_progress(u);
}

std::string fact_of(core::Event const& event, std::string_view name) {
  auto const data = reflect::parse_json(event.data.empty() ? "{}" : event.data);
  auto const* object = data ? data->if_object() : nullptr;
  auto const* fact = object ? object->if_contains(name) : nullptr;
  return fact && fact->is_string() ? std::string{fact->get_string()} : std::string{};
}

void show_anew(Unit& u, core::Task task) {
  ++task.rev;
  u.tx.put(task);
}

}  // namespace andon::service
