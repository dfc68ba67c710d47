#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "core/model/automation.hpp"
#include "reflect/text.hpp"
#include "service/requests.hpp"

namespace andon::service {

/// An automation as callers name it: its number or its name.
struct AutomationRef {
  std::string text;
};

struct AutomationRequest {
  AutomationRef id;
};
BOOST_DESCRIBE_STRUCT(AutomationRequest, (), (id))
inline constexpr core::Field kAutomationIdField{"id", "Automation by number or name", core::required};
inline constexpr std::array kAutomationRequestFields{kAutomationIdField};
constexpr auto const& fields(AutomationRequest const*) { return kAutomationRequestFields; }

struct ListAutomationsRequest {
  std::string board;
};
BOOST_DESCRIBE_STRUCT(ListAutomationsRequest, (), (board))
inline constexpr std::array kListAutomationsFields{core::Field{"board", "Only those of this board"}};
constexpr auto const& fields(ListAutomationsRequest const*) { return kListAutomationsFields; }

inline constexpr core::Field kAutomationKindField{
    "kind", "What makes it fire: cron or queue_dry; follows from cron or after when left out"};
inline constexpr core::Field kAutomationCronField{
    "cron", "Schedule: minute hour day month weekday, or @hourly, @daily, @weekly, @monthly, @yearly"};
inline constexpr core::Field kAutomationTzField{
    "tz", "Time zone of the schedule, such as Europe/Berlin; UTC when left out"};
inline constexpr core::Field kAutomationAfterField{
    "after", "Fire when nothing was ready, claimed or active on the board for so long"};
inline constexpr core::Field kAutomationEnabledField{"enabled", "Whether it fires by itself"};

struct AddAutomationRequest {
  std::string name;
  std::string board;
  std::optional<core::AutomationKind> kind;
  std::string cron;
  std::optional<std::string> tz;
  std::optional<core::Duration> after;
  core::NextTask template_;
  std::optional<bool> enabled;
};
BOOST_DESCRIBE_STRUCT(AddAutomationRequest, (), (name, board, kind, cron, tz, after, template_, enabled))
inline constexpr std::array kAddAutomationFields{
    core::Field{"name", "Its name; its tasks are made by automation:NAME", core::required},
    core::Field{"board", "Board it makes tasks on; the first one when left out"},
    kAutomationKindField,
    kAutomationCronField,
    kAutomationTzField,
    kAutomationAfterField,
    core::Field{"template", "The task it makes; {{metrics}} in it becomes the board's health",
                core::required},
    kAutomationEnabledField};
constexpr auto const& fields(AddAutomationRequest const*) { return kAddAutomationFields; }

/// Absent members stay as they are. A template is replaced as a whole.
struct EditAutomationRequest {
  AutomationRef id;
  std::optional<std::string> name;
  std::optional<core::AutomationKind> kind;
  std::optional<std::string> cron;
  std::optional<std::string> tz;
  std::optional<core::Duration> after;
  std::optional<core::NextTask> template_;
  std::optional<bool> enabled;
};
BOOST_DESCRIBE_STRUCT(EditAutomationRequest, (), (id, name, kind, cron, tz, after, template_, enabled))
inline constexpr std::array kEditAutomationFields{kAutomationIdField,
                                                  core::Field{"name", "New name"},
                                                  kAutomationKindField,
                                                  kAutomationCronField,
                                                  kAutomationTzField,
                                                  kAutomationAfterField,
                                                  core::Field{"template", "The task it makes, as a whole"},
                                                  kAutomationEnabledField};
constexpr auto const& fields(EditAutomationRequest const*) { return kEditAutomationFields; }

struct Automations {
  std::vector<core::Automation> items;
};
BOOST_DESCRIBE_STRUCT(Automations, (), (items))
inline constexpr std::array kAutomationsFields{core::Field{"items", "The automations", core::always}};
constexpr auto const& fields(Automations const*) { return kAutomationsFields; }

struct RemovedAutomation {
  core::AutomationId id = 0;
  std::string name;
  std::string status;
};
BOOST_DESCRIBE_STRUCT(RemovedAutomation, (), (id, name, status))
inline constexpr std::array kRemovedAutomationFields{
    core::Field{"id", "Number of the automation", core::always},
    core::Field{"name", "Its name", core::always}, core::Field{"status", "removed", core::always}};
constexpr auto const& fields(RemovedAutomation const*) { return kRemovedAutomationFields; }

core::Result<Automations> list_automations(OperationContext& ctx, ListAutomationsRequest const& request);
core::Result<core::Automation> get_automation(OperationContext& ctx, AutomationRequest const& request);
core::Result<core::Automation> add_automation(OperationContext& ctx, AddAutomationRequest const& request);
core::Result<core::Automation> edit_automation(OperationContext& ctx, EditAutomationRequest const& request);
/// The tasks it made stay.
core::Result<RemovedAutomation> remove_automation(OperationContext& ctx, AutomationRequest const& request);

core::Result<core::Automation> find_automation(OperationContext& ctx, AutomationRef const& ref);

}  // namespace andon::service

namespace andon::reflect {

template <>
struct TextForm<service::AutomationRef> {
  static constexpr std::string_view kName = "automation", kForm = "an automation's number or name";
  static constexpr bool kAcceptsInteger = true;
  static std::string const& write(service::AutomationRef const& value) { return value.text; }
  static bool read(std::string_view text, service::AutomationRef& out) {
    out.text = text;
    return !text.empty();
  }
};

}  // namespace andon::reflect
