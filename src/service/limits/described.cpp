#include "reflect/described.hpp"

#include "service/limits/accounts.hpp"
#include "service/limits/budgets.hpp"
#include "service/limits/faults.hpp"
#include "service/limits/freeze.hpp"
#include "service/limits/machine.hpp"
#include "service/limits/task_spending.hpp"

namespace andon {

template struct reflect::Described<service::Accounts>;
template struct reflect::Described<service::AccountRequest>;
template struct reflect::Described<service::PauseAccountRequest>;

template struct reflect::Described<service::DayBudget>;

template struct reflect::Described<service::Faults>;
template struct reflect::Described<service::FaultRequest>;

template struct reflect::Described<service::FreezeRequest>;
template struct reflect::Described<service::Frozen>;

template struct reflect::Described<service::FrozenRun>;
template struct reflect::Described<service::MachineReport>;
template struct reflect::Described<service::ReservedMemory>;

template struct reflect::Described<service::TaskSpending>;

}  // namespace andon
