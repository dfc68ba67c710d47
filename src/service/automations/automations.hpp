#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/automation.hpp"
#include "reflect/text.hpp"
#include "service/requests.hpp"

namespace andon::service {

/// An automation as callers name it: its number or its name.
struct AutomationRef {
  std::string text;
};

inline constexpr core::Field kAutomationIdField{"id", "Automation by number or name", core::required};

struct AutomationRequest {
  AutomationRef id;
};
void describe(auto& field, AutomationRequest const*) { field(&AutomationRequest::id, kAutomationIdField); }

struct ListAutomationsRequest {
  std::string board;
};
void describe(auto& field, ListAutomationsRequest const*) {
  field(&ListAutomationsRequest::board, "board", "Only those of this board");
}

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
void describe(auto& field, AddAutomationRequest const*) {
  field(&AddAutomationRequest::name, "name", "Its name; its tasks are made by automation:NAME",
        core::required);
  field(&AddAutomationRequest::board, "board", "Board it makes tasks on; the first one when left out");
  field(&AddAutomationRequest::kind, kAutomationKindField);
  field(&AddAutomationRequest::cron, kAutomationCronField);
  field(&AddAutomationRequest::tz, kAutomationTzField);
  field(&AddAutomationRequest::after, kAutomationAfterField);
  field(&AddAutomationRequest::template_, "template",
        "The task it makes; {{metrics}} in it becomes the board's health", core::required);
  field(&AddAutomationRequest::enabled, kAutomationEnabledField);
}

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
void describe(auto& field, EditAutomationRequest const*) {
  field(&EditAutomationRequest::id, kAutomationIdField);
  field(&EditAutomationRequest::name, "name", "New name");
  field(&EditAutomationRequest::kind, kAutomationKindField);
  field(&EditAutomationRequest::cron, kAutomationCronField);
  field(&EditAutomationRequest::tz, kAutomationTzField);
  field(&EditAutomationRequest::after, kAutomationAfterField);
  field(&EditAutomationRequest::template_, "template", "The task it makes, as a whole");
  field(&EditAutomationRequest::enabled, kAutomationEnabledField);
}

struct Automations {
  std::vector<core::Automation> items;
};
void describe(auto& field, Automations const*) {
  field(&Automations::items, "items", "The automations", core::always);
}

struct RemovedAutomation {
  core::AutomationId id = 0;
  std::string name;
  std::string status;
};
void describe(auto& field, RemovedAutomation const*) {
  field(&RemovedAutomation::id, "id", "Number of the automation", core::always);
  field(&RemovedAutomation::name, "name", "Its name", core::always);
  field(&RemovedAutomation::status, "status", "removed", core::always);
}

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
