#include "service/event_log.hpp"

#include "reflect/json.hpp"
#include "store/engine/unit/unit.hpp"

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
void note_progress(OperationContext& ctx) {
  if (!is_run(ctx)) return;
  auto run = ctx.tx.run(ctx.caller.run->run);
  if (!run || run->state == core::RunState::ended || run->progress == ctx.now) return;
  run->progress = ctx.now;
  ctx.tx.put(*run);
}

}  // namespace

void append_event(OperationContext& ctx, core::Event event, Facts const& facts) {
  event.ts = ctx.now;
  event.actor = ctx.caller.actor;
  event.mutation = ctx.mutation;
  event.data = as_json(facts);
  ctx.tx.append(std::move(event));
  note_progress(ctx);
}

std::string fact_of(core::Event const& event, std::string_view name) {
  auto const data = reflect::parse_json(event.data.empty() ? "{}" : event.data);
  auto const* object = data ? data->if_object() : nullptr;
  auto const* fact = object ? object->if_contains(name) : nullptr;
  return fact && fact->is_string() ? std::string{fact->get_string()} : std::string{};
}

void touch(OperationContext& ctx, core::Task task) {
  task.rev = core::next(task.rev);
  ctx.tx.put(task);
}

}  // namespace andon::service
