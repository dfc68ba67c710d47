#include "reflect/described.hpp"

#include "service/teams/team.hpp"
#include "service/teams/wanted_on_machine.hpp"

namespace andon {

template struct reflect::Described<service::TeamBoard>;
template struct reflect::Described<service::Team>;
template struct reflect::Described<service::ApplyTeamRequest>;
template struct reflect::Described<service::TeamChange>;
template struct reflect::Described<service::TeamChanges>;

template struct reflect::Described<service::WantedAgent>;
template struct reflect::Described<service::WantedOnMachine>;
template struct reflect::Described<service::WantedRepository>;

}  // namespace andon
