#include "reflect/described.hpp"

#include "service/workers/agent_test.hpp"
#include "service/workers/memory.hpp"
#include "service/workers/workers.hpp"

namespace andon {

template struct reflect::Described<service::AgentTestRequest>;
template struct reflect::Described<service::AgentTest>;

template struct reflect::Described<service::MemoryReader>;
template struct reflect::Described<service::MemoryTopicView>;
template struct reflect::Described<service::MemoryTopics>;
template struct reflect::Described<service::MemoryTopicRequest>;
template struct reflect::Described<service::TopicQuestion>;
template struct reflect::Described<service::MemoryText>;
template struct reflect::Described<service::AddMemoryRequest>;
template struct reflect::Described<service::MemoryEntry>;
template struct reflect::Described<service::MemoryAdded>;

template struct reflect::Described<service::WorkerRequest>;
template struct reflect::Described<service::PutWorkerRequest>;
template struct reflect::Described<service::PauseWorkerRequest>;
template struct reflect::Described<service::Workers>;
template struct reflect::Described<service::RemovedWorker>;

}  // namespace andon
