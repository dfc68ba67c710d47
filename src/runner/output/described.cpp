#include "reflect/described.hpp"

#include "runner/output/output_rules.hpp"
#include "runner/output/run_log.hpp"

namespace andon {

template struct reflect::Described<runner::Condition>;
template struct reflect::Described<runner::Rule>;
template struct reflect::Described<runner::Output>;
template struct reflect::Described<runner::UsageFile>;
template struct reflect::Described<runner::UsageRule>;
template struct reflect::Described<runner::FatalRule>;
template struct reflect::Described<runner::FailureRule>;

template struct reflect::Described<runner::LogItem>;

}  // namespace andon
