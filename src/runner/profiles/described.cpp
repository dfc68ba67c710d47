#include "reflect/described.hpp"

#include "runner/profiles/examine.hpp"
#include "runner/profiles/profile.hpp"
#include "runner/profiles/sandbox.hpp"

namespace andon {

template struct reflect::Described<runner::SandboxTrial>;
template struct reflect::Described<runner::Examination>;

template struct reflect::Described<runner::SignIn>;
template struct reflect::Described<runner::Detect>;
template struct reflect::Described<runner::PromptRule>;
template struct reflect::Described<runner::FileTemplate>;
template struct reflect::Described<runner::McpRule>;
template struct reflect::Described<runner::Timeouts>;
template struct reflect::Described<runner::Profile>;

template struct reflect::Described<runner::SandboxSpec>;

}  // namespace andon
