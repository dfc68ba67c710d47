#include "reflect/described.hpp"

#include "runner/runs/end_record.hpp"
#include "runner/runs/run_spec.hpp"
#include "runner/runs/tree_setup.hpp"

namespace andon {

template struct reflect::Described<runner::EndRecord>;

template struct reflect::Described<runner::RunLimits>;
template struct reflect::Described<runner::CheckSpec>;
template struct reflect::Described<runner::WorkspaceSpec>;
template struct reflect::Described<runner::RunStart>;
template struct reflect::Described<runner::RunSpec>;

template struct reflect::Described<runner::TreeSetup>;

}  // namespace andon
