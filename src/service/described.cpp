#include "reflect/described.hpp"

#include "service/difference.hpp"
#include "service/requests.hpp"

namespace andon {

template struct reflect::Described<service::FieldChange>;

template struct reflect::Described<service::TaskRequest>;
template struct reflect::Described<service::HeldTaskRequest>;
template struct reflect::Described<service::ReasonRequest>;
template struct reflect::Described<service::NoRequest>;

}  // namespace andon
