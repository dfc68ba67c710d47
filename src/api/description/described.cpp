#include "reflect/described.hpp"

#include "api/access/server_proof.hpp"
#include "api/agent_directory.hpp"
#include "api/proposal.hpp"
#include "api/run_output.hpp"
#include "api/sign_in_link.hpp"
#include "api/status/chat_status.hpp"
#include "api/status/readiness.hpp"

namespace andon {

template struct reflect::Described<api::AgentView>;
template struct reflect::Described<api::Agents>;

template struct reflect::Described<api::OutputItem>;
template struct reflect::Described<api::OutputPage>;
template struct reflect::Described<api::OutputReport>;
template struct reflect::Described<api::OutputTaken>;

template struct reflect::Described<api::ConfirmRequest>;
template struct reflect::Described<api::ProofRequest>;
template struct reflect::Described<api::ServerProof>;
template struct reflect::Described<api::SignInRequest>;
template struct reflect::Described<api::PageSession>;
template struct reflect::Described<api::PhoneLink>;
template struct reflect::Described<api::ProposalView>;

template struct reflect::Described<api::ChatStatus>;

template struct reflect::Described<api::ServerLine>;
template struct reflect::Described<api::Readiness>;

}  // namespace andon
