#include "reflect/described.hpp"

#include "service/tasks/attachments.hpp"
#include "service/tasks/card.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/copies.hpp"
#include "service/tasks/copy.hpp"
#include "service/tasks/copy_pairs.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/kernel/start_work.hpp"
#include "service/tasks/merge.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/plan.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"

namespace andon {

template struct reflect::Described<service::AttachRequest>;
template struct reflect::Described<service::AttachmentRequest>;
template struct reflect::Described<service::DetachRequest>;
template struct reflect::Described<service::Attachments>;
template struct reflect::Described<service::AttachmentContent>;
template struct reflect::Described<service::AttachmentQuestion>;

template struct reflect::Described<service::CardRun>;
template struct reflect::Described<service::CardWork>;
template struct reflect::Described<service::Card>;

template struct reflect::Described<service::ClaimTaskRequest>;
template struct reflect::Described<service::HeartbeatRequest>;
template struct reflect::Described<service::Heartbeat>;

template struct reflect::Described<service::ListCopiesRequest>;
template struct reflect::Described<service::SuspectedCopy>;
template struct reflect::Described<service::SuspectedCopies>;
template struct reflect::Described<service::DismissCopyRequest>;

template struct reflect::Described<service::CopyTaskRequest>;

template struct reflect::Described<service::CopyPair>;

template struct reflect::Described<service::CreateTaskRequest>;
template struct reflect::Described<service::CreateTasksRequest>;
template struct reflect::Described<service::TaskItems>;

template struct reflect::Described<service::EditTaskRequest>;

template struct reflect::Described<service::CompleteRequest>;
template struct reflect::Described<service::NotPicked>;
template struct reflect::Described<service::FinishedTask>;

template struct reflect::Described<service::DispatchLimit>;

template struct reflect::Described<service::MergeTasksRequest>;

template struct reflect::Described<service::MoveTaskRequest>;

template struct reflect::Described<service::PickRequest>;
template struct reflect::Described<service::PickedTasks>;

template struct reflect::Described<service::WritePlanRequest>;
template struct reflect::Described<service::TaskPlan>;

template struct reflect::Described<service::BlockRequest>;
template struct reflect::Described<service::AskRequest>;
template struct reflect::Described<service::AnswerRequest>;
template struct reflect::Described<service::HandoffRequest>;
template struct reflect::Described<service::NoteRequest>;
template struct reflect::Described<service::AcceptRequest>;
template struct reflect::Described<service::RejectRequest>;

template struct reflect::Described<service::ListTasksRequest>;
template struct reflect::Described<service::TaskList>;
template struct reflect::Described<service::CardList>;
template struct reflect::Described<service::DeletedTask>;

}  // namespace andon
