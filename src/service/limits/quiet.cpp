#include "service/limits/quiet.hpp"

#include "service/given_field.hpp"

namespace andon::service {
namespace {

using core::Result;

Result<void> check_hours(OperationContext const& ctx, core::QuietHours const& quiet,
                         std::string const& field) {
  for (auto const& [text, name] : {std::pair{&quiet.from, "/from"}, {&quiet.to, "/to"}})
    if (!core::is_time_of_day(*text))
      return service::invalid(
          "\"" + field + name + "\" must be a time of the day from 00:00 to 23:59, such as 22:00",
          field + name);
  if (!quiet.tz.empty() && (!ctx.zones || !ctx.zones->knows(quiet.tz)))
    return service::invalid("\"" + quiet.tz + "\" is no time zone; it is named like Europe/Berlin or UTC",
                            field + "/tz");
  return {};
}

std::optional<core::Instant> end_now(OperationContext const& ctx,
                                     std::optional<core::QuietHours> const& quiet) {
  return quiet ? core::end_of(*quiet, ctx.zones, ctx.now) : std::nullopt;
}

}  // namespace

Result<void> set_quiet(OperationContext const& ctx, std::optional<core::QuietHours> const& given,
                       std::optional<core::QuietHours>& quiet, std::string const& field) {
  if (!given) return {};
  ANDON_CHECK(check_hours(ctx, *given, field));
  quiet = given;
  if (given->from == given->to) quiet.reset();
  return {};
}

Result<void> check_quiet(OperationContext const& ctx, core::Worker const& worker) {
  auto const end = end_now(ctx, worker.quiet);
  if (!end) return {};
  return core::refuse(core::Code::kNothingToPick,
                      "worker \"" + worker.name + "\" has quiet hours until " + core::to_text(*end));
}

bool is_quiet(OperationContext const& ctx, core::ServiceClass const& service_class) {
  return end_now(ctx, service_class.quiet).has_value();
}

}  // namespace andon::service
