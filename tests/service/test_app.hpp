#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/local_executor.hpp"
#include "core/model/run.hpp"
#include "service/insight/live.hpp"
#include "store/open.hpp"
#include "support/fake_clock.hpp"

namespace andon::test {

/// Who asks in these tests unless told otherwise: a person with all rights.
service::Caller ann();
/// A person without the administrator's rights, who acts under that name.
service::Caller person(std::string name);
/// The agent that works on a run.
service::Caller agent(core::Run const& run);

/// `{"id":3,"status":"todo"}` from 3 and `"status":"todo"`.
std::string on(std::int64_t id, std::string_view members = {});

/// A whole Andon without its interfaces: operations on a store in memory, under a clock that stands still.
class TestApp {
 public:
  /// With one board, named like its template.
  explicit TestApp(std::string_view board_template = "classic");

  /// Runs an operation of the table with a request in JSON.
  core::Result<std::string> ask(std::string_view operation, std::string_view request,
                                service::Caller const& caller = ann());
  /// The answer of an operation that must work.
  std::string answer(std::string_view operation, std::string_view request,
                     service::Caller const& caller = ann());
  core::Task task(std::string_view operation, std::string_view request,
                  service::Caller const& caller = ann());
  core::Run run(std::string_view operation, std::string_view request, service::Caller const& caller = ann());
  /// The wire name of the refusal of an operation that must be refused and must change nothing.
  std::string refusal(std::string_view operation, std::string_view request,
                      service::Caller const& caller = ann());
  core::Error error(std::string_view operation, std::string_view request,
                    service::Caller const& caller = ann());

  core::Task create(std::string_view title, std::string_view members = {},
                    service::Caller const& caller = ann());
  core::Task get(core::TaskId id);
  core::Task move(core::TaskId id, std::string_view status);
  /// The task with what the engine keeps beside what it shows.
  core::Task stored(core::TaskId id);

  void add_worker(std::string_view name, std::string_view members = {});
  /// Lets a worker with an agent take its next task under a runner and start.
  core::Run start(std::string_view worker);
  core::Run finish(core::Run const& run,
                   std::string_view members = R"("result":"made it","exit":{"code":0})");

  std::vector<core::Event> events(std::int64_t after = 0);
  std::vector<std::string> kinds(std::int64_t after);
  std::int64_t last_seq();
  service::Snapshot snapshot();
  service::Changes changes(std::int64_t since);
  /// Everything the store remembers, as one text.
  std::string digest();

  FakeClock clock;
  std::unique_ptr<store::Store> store = store::open_store("sqlite::memory:");
  api::LocalExecutor executor{*store, clock};
  std::string board;
};

}  // namespace andon::test
