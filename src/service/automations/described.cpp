#include "reflect/described.hpp"

#include "service/automations/automations.hpp"
#include "service/automations/firing.hpp"

namespace andon {

template struct reflect::Described<service::AutomationRequest>;
template struct reflect::Described<service::ListAutomationsRequest>;
template struct reflect::Described<service::AddAutomationRequest>;
template struct reflect::Described<service::EditAutomationRequest>;
template struct reflect::Described<service::Automations>;
template struct reflect::Described<service::RemovedAutomation>;

template struct reflect::Described<service::DueAutomation>;
template struct reflect::Described<service::DueAutomations>;
template struct reflect::Described<service::Fired>;
template struct reflect::Described<service::FireRequest>;
template struct reflect::Described<service::SourceQuestion>;

}  // namespace andon
