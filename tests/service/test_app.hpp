#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "api/local_executor.hpp"
#include "api/operation.hpp"
#include "core/model/event.hpp"
#include "core/model/run.hpp"
#include "reflect/json.hpp"
#include "service/boards/boards.hpp"
#include "service/insight/live.hpp"
#include "service/runs/run_report.hpp"
#include "service/tasks/create.hpp"
#include "service/workers/workers.hpp"
#include "store/contract/store.hpp"
#include "store/open.hpp"
#include "support/fake_clock.hpp"

namespace andon::test {

/// Who asks in these tests unless told otherwise: a person with all rights.
service::Caller ann();
/// A person without the administrator's rights, who acts under that name.
service::Caller person(std::string name);
/// The agent that works on a run.
service::Caller agent(core::Run const& run);

template <auto F>
using RequestOf = typename api::detail::Signature<decltype(F)>::Request;
template <auto F>
using ResponseOf = typename api::detail::Signature<decltype(F)>::Response;

/// A call of any operation, for tables of calls.
struct AnyCall {
  std::string_view operation;  ///< its name, for messages
  std::function<api::Call(service::Caller)> by;
};
template <auto F>
AnyCall call_of(RequestOf<F> request) {
  return {api::row_of<F>().name, [request = std::move(request)](service::Caller caller) {
            return api::call_of<F>(request, std::move(caller));
          }};
}

/// A request to edit a board, filled in by the function.
service::EditBoardRequest board_edit(std::string board, auto const& fill_in) {
  service::EditBoardRequest request;
  request.board = std::move(board);
  fill_in(request);
  return request;
}

/// A whole Andon without its interfaces: operations on a store in memory, under a clock that stands still.
class TestApp {
 public:
  /// With one board, named like its template.
  explicit TestApp(std::string_view board_template = "classic");

  /// Runs an operation.
  core::Result<api::Answer> ask(AnyCall const& call, service::Caller const& caller = ann());
  template <auto F>
  core::Result<ResponseOf<F>> ask(RequestOf<F> const& request, service::Caller const& caller = ann()) {
    ANDON_TRY(auto answer, ask(call_of<F>(request), caller));
    return std::move(answer).template as<ResponseOf<F>>();
  }
  /// The response of an operation that must work.
  template <auto F>
  ResponseOf<F> call(RequestOf<F> const& request = {}, service::Caller const& caller = ann()) {
    return typed<F>(answered(call_of<F>(request), caller));
  }
  /// The response as JSON.
  std::string answer(AnyCall const& call, service::Caller const& caller = ann());
  template <auto F>
  std::string answer(RequestOf<F> const& request = {}, service::Caller const& caller = ann()) {
    return answer(call_of<F>(request), caller);
  }
  /// The refusal of an operation that must be refused and must change nothing.
  core::Error error(AnyCall const& call, service::Caller const& caller = ann());
  template <auto F>
  core::Error error(RequestOf<F> const& request = {}, service::Caller const& caller = ann()) {
    return error(call_of<F>(request), caller);
  }
  /// The wire name of its code.
  std::string refusal(AnyCall const& call, service::Caller const& caller = ann());
  template <auto F>
  std::string refusal(RequestOf<F> const& request = {}, service::Caller const& caller = ann()) {
    return refusal(call_of<F>(request), caller);
  }

  /// For tests of what is refused while a request is read.
  template <auto F>
  core::Error error_of_json(std::string_view request, service::Caller const& caller = ann()) {
    return error_of_json(api::row_of<F>(), request, caller);
  }
  template <auto F>
  std::string refusal_of_json(std::string_view request, service::Caller const& caller = ann()) {
    return std::string{core::row(error_of_json<F>(request, caller).code).name};
  }
  template <auto F>
  ResponseOf<F> call_of_json(std::string_view request, service::Caller const& caller = ann()) {
    auto out = ask_of_json(api::row_of<F>(), request, caller);
    REQUIRE_MESSAGE(out, request);
    return typed<F>(*std::move(out));
  }

  core::Task create(std::string_view title, service::CreateTaskRequest request = {},
                    service::Caller const& caller = ann());
  core::Task get(core::TaskId id);
  core::Task move(core::TaskId id, std::string_view status);
  /// The task with what the engine keeps beside what it shows.
  core::Task stored(core::TaskId id);

  /// A worker whose agent is a shell unless told otherwise.
  void add_worker(std::string_view name, service::PutWorkerRequest request = {});
  /// Lets a worker with an agent take its next task under a runner and start.
  core::Run start(std::string_view worker);
  core::Run finish(core::Run const& run,
                   service::FinishRunRequest request = {.result = "made it", .exit = {.code = 0}});

  std::vector<core::Event> events(core::EventSeq after = 0);
  std::vector<std::string> kinds(core::EventSeq after);
  core::EventSeq last_seq();
  service::Snapshot snapshot();
  service::Changes changes(core::EventSeq since);
  /// Everything the store remembers, as one text.
  std::string digest();

  FakeClock clock;
  std::unique_ptr<store::Store> store = store::open_store("sqlite::memory:");
  api::LocalExecutor executor{*store, clock};
  std::string board;
  bool tells_verbs = false;  ///< whether tasks in answers say what the caller may do with them

 private:
  core::Result<api::Answer> ask_of_json(api::Operation const& operation, std::string_view request,
                                        service::Caller const& caller);
  core::Error error_of_json(api::Operation const& operation, std::string_view request,
                            service::Caller const& caller);
  api::Answer answered(AnyCall const& call, service::Caller const& caller);
  /// The refusal in that answer, after which the store must be as before.
  core::Error refused(std::string_view operation, core::Result<api::Answer> const& answer,
                      std::string const& before);
  template <auto F>
  static ResponseOf<F> typed(api::Answer answer) {
    return std::move(answer).template as<ResponseOf<F>>().value();
  }
};

}  // namespace andon::test
