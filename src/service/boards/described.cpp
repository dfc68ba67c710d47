#include "reflect/described.hpp"

#include "service/boards/attach.hpp"
#include "service/boards/boards.hpp"
#include "service/boards/import.hpp"
#include "service/boards/repositories.hpp"

namespace andon {

template struct reflect::Described<service::AttachBoardRequest>;
template struct reflect::Described<service::DetachedBoard>;

template struct reflect::Described<service::BoardRequest>;
template struct reflect::Described<service::ListBoardsRequest>;
template struct reflect::Described<service::Boards>;
template struct reflect::Described<service::BoardPolicies>;
template struct reflect::Described<service::CreateBoardRequest>;
template struct reflect::Described<service::EditBoardRequest>;
template struct reflect::Described<service::DeletedBoard>;

template struct reflect::Described<service::ImportedTask>;
template struct reflect::Described<service::ImportTasksRequest>;
template struct reflect::Described<service::ImportedAs>;
template struct reflect::Described<service::ImportNote>;
template struct reflect::Described<service::Imported>;

template struct reflect::Described<service::RepositoriesRequest>;
template struct reflect::Described<service::DirectoryEntry>;
template struct reflect::Described<service::Repositories>;
template struct reflect::Described<service::WantedRepository>;

}  // namespace andon
