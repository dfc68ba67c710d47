#include "reflect/described.hpp"

#include "service/history/history.hpp"
#include "service/history/retention.hpp"

namespace andon {

template struct reflect::Described<service::EventsRequest>;
template struct reflect::Described<service::WireEvent>;
template struct reflect::Described<service::Events>;

template struct reflect::Described<service::Retention>;
template struct reflect::Described<service::RetentionRequest>;
template struct reflect::Described<service::TrimRequest>;
template struct reflect::Described<service::Trimmed>;

}  // namespace andon
