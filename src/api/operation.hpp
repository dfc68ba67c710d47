#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/flag.hpp"
#include "api/object.hpp"
#include "api/row_of.hpp"
#include "core/error.hpp"
#include "reflect/json.hpp"
#include "reflect/type.hpp"
#include "service/limits/storage_meter.hpp"
#include "service/operation_context.hpp"
#include "store/contract/unit_kind.hpp"

namespace andon::store {
class AttachmentFiles;
}

namespace andon::api {

enum class Method { get, post, put, patch, del };
std::string_view to_text(Method method);

enum class Effect {
  read,
  write,
  destroy,  ///< a write that people are asked to confirm
};

/// Through which interfaces an operation can be reached.
enum class Surfaces { all, http, cli_and_http, internal };

/// The least role that may call an operation. The operation itself decides what a run may do in it. A runner
/// may call its own operations and what `may_call` lists.
enum class Access { run, runner, person, admin };

/// The form of an operation on the command line, where it differs from its name and fields.
struct Command {
  std::string_view words{};       ///< `boards create`; the operation's name when empty
  std::string_view positional{};  ///< fields given without a flag, in order: `id status`; a trailing `?`
                                  ///< makes one optional
  std::string_view says{};        ///< sentence for a person, `{field}` filled in from the answer
  std::string_view but{};         ///< the fields that have no flag
  std::vector<Flag> flags{};      ///< those that differ from the fields, or fill none
};

/// True when a list of fields, such as `Tool::but`, names that field.
bool names_field(std::string_view fields, std::string_view field);

/// The form of an operation as a tool for agents that speak MCP. The tool has the operation's name, and the
/// request's fields but those that `but` names.
struct Tool {
  std::string_view says{};    ///< for a model: what it does, when it is called; no tool when empty
  std::string_view of_run{};  ///< the fields that a run is offered; `-` for none; no tool of a run when empty
  std::string_view but{};     ///< the fields that nobody is offered
};

/// The key of an operation on a task on the board in a terminal.
struct BoardKey {
  std::string_view key{};   ///< one character; none when empty
  std::string_view asks{};  ///< the field that the person is asked for first; none when empty
};

/// The fence decides what a run must hold to write; the executor checks it before the operation begins.
enum class Fence {
  claim,       ///< its task, with the epoch of its token
  renewal,     ///< the same, though the claim may be over as long as nobody took the task
  supervising  ///< nothing, where the process that supervises the run tells how it goes and ended
};

/// The objects that an operation creates. They are counted, and the answer contains their address.
enum class Creates { nothing, task, tasks };

/// Whether people are asked before the command runs.
enum class Confirms {
  never,
  on_terminal,
  always  ///< elsewhere than on a terminal it has to be said with the command
};

class WorkspacePort;

/// The access to the world beside the records of the store; each may be null.
struct Ports {
  WorkspacePort* workspace = nullptr;  ///< null for a board of files without a data directory
  store::AttachmentFiles* attachments = nullptr;
};

/// The result of a write for what was prepared for it.
enum class Written { yes, no };

/// A question to the machine that must be answered before an operation's unit of work. A unit of its own
/// makes the question, and the answer becomes part of the request.
struct Preparation {
  core::Result<Object> (*ask)(service::OperationContext& ctx, void const* request) = nullptr;
  core::Result<void> (*answer)(Ports const& ports, void const* question, void* request) = nullptr;
  /// Clears what the preparation or the write left; null where there is nothing. Not called when the result
  /// of the write is unknown.
  void (*clear)(Ports const& ports, void const* request, Written written) = nullptr;
};

/// The content of a file in an answer, which travels as it is.
struct FileAnswer {
  std::string_view content;
  std::string_view name;
  std::string_view type;
  std::string_view digest;  ///< tells it from every other content
};

/// The form of an operation that takes or gives a file. Over HTTP the file is the body, and all other fields
/// stand in the path and the query.
struct FileBody {
  std::string& (*taken)(void* request) = nullptr;
  FileAnswer (*given)(void const* response) = nullptr;
  std::string& (*received)(void* response) = nullptr;  ///< where a client puts a file that was given
};

/// The bound of a unit of work for an array, all of it or nothing.
inline constexpr std::chrono::milliseconds kArrayBound{250};

/// For `Operation::takes_long`.
constexpr bool always(void const*) { return true; }

/// One row: everything every interface needs to offer the operation. A table gives the members up to
/// `takes_long`; `op` and `workspace_op` fill in the others from the service function.
struct Operation {
  std::string_view name;
  Method method;
  std::string_view path;  ///< below /api/v1; `{field}` is a member of the request
  Effect effect;
  service::Stored stores = service::Stored::text;  ///< by which bounds runs and runners are metered
  Surfaces surfaces;
  Access access;
  std::string_view summary;
  Command command{};
  Tool tool{};
  BoardKey board_key{};
  int status = 200;
  Fence fence = Fence::claim;
  bool is_large = false;  ///< its request may hold as many values as a long list of tasks
  store::Urgency urgency = store::Urgency::usual;
  std::chrono::milliseconds bound{50};  ///< how long its unit of work may hold the writer
  Creates creates = Creates::nothing;
  Confirms confirms = Confirms::never;
  bool can_stream = false;        ///< its answer may be an event stream
  bool may_find_nothing = false;  ///< and then answers 204
  Preparation prepare{};
  FileBody file{};
  /// True when the operation may read for long. It then waits in the queue of long reads and is ended after
  /// some seconds. Null where the operation never reads for long.
  bool (*takes_long)(void const* request) = nullptr;

  void const* function = nullptr;  ///< identity of the service function, see `row_of`
  reflect::Type const* request = nullptr;
  reflect::Type const* response = nullptr;
  Object (*make)() = nullptr;
  Object (*make_response)() = nullptr;
  /// The task of a response, which can say what the caller may do with it; null where a response is none.
  core::Task* (*task_in)(void* response) = nullptr;
  core::Result<Object> (*invoke)(service::OperationContext& ctx, void const* request) = nullptr;
  /// Answers the question that the unit of work made; null where the unit's response is the answer.
  core::Result<Object> (*finish)(Ports const& ports, void const* question) = nullptr;
};

namespace detail {
template <class T>
core::Result<Object> as_object(core::Result<T> result) {
  if (!result) return std::unexpected(std::move(result).error());
  return object(*std::move(result));
}

}  // namespace detail

/// The refusal of what needs a data directory.
inline std::unexpected<core::Error> no_data_directory() {
  return core::refuse(core::Code::kNotFound,
                      "a board of files has no data directory: this needs a server or a data directory");
}

/// Adds to a row what follows from its service function.
template <auto F>
Operation op(Operation row) {
  using S = detail::Signature<decltype(F)>;
  using Q = typename S::Request;
  row.function = &detail::kIdentity<F>;
  row.request = &reflect::type_of<Q>();
  row.response = &reflect::type_of<typename S::Response>();
  using R = typename S::Response;
  if constexpr (std::is_base_of_v<core::Task, R>)
    row.task_in = [](void* response) -> core::Task* { return static_cast<R*>(response); };
  row.make = &empty_object<Q>;
  row.make_response = &empty_object<R>;
  row.invoke = [](service::OperationContext& ctx, void const* request) {
    return detail::as_object(F(ctx, *static_cast<Q const*>(request)));
  };
  return row;
}

/// Whether the path of an operation names the task that it is about.
inline bool names_task(Operation const& operation) { return operation.path.starts_with("/tasks/{id}"); }

/// Whether a call reads for long and waits in the queue of long reads.
inline bool takes_long(Operation const& operation, void const* request) {
  return operation.finish || (operation.takes_long && operation.takes_long(request));
}

/// All operations, in the order of the reference.
std::span<Operation const> operations();
Operation const* find_operation(std::string_view name);

/// True when callers of the role may call the operation at all.
bool may_call(service::Role role, Operation const& operation);

// The tables that `operations` joins.
std::span<Operation const> board_operations();
std::span<Operation const> task_operations();
std::span<Operation const> attachment_operations();
std::span<Operation const> team_operations();
std::span<Operation const> automation_operations();
std::span<Operation const> run_operations();
std::span<Operation const> runner_operations();
std::span<Operation const> work_operations();
std::span<Operation const> history_operations();

}  // namespace andon::api
