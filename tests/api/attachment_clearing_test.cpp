#include <algorithm>

#include <doctest/doctest.h>

#include "api/local_executor.hpp"
#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/attachments.hpp"
#include "service/tasks/create.hpp"
#include "store/contract/attachment_files.hpp"
#include "store/contract/store.hpp"
#include "store/open.hpp"
#include "support/fake_clock.hpp"
#include "support/scratch.hpp"

using namespace andon;

namespace {

service::Caller the_admin() {
  return {{core::ActorKind::user, "ann"}, service::Role::admin, core::Source::api, {}};
}

/// A server's database with tasks 1 and 2, and the contents of attachments beside it.
struct Database {
  Database() {
    executor.write(
        [](service::OperationContext& ctx) {
          service::CreateBoardRequest demo;
          demo.name = "demo";
          if (!service::create_board(ctx, demo)) return false;
          service::CreateTaskRequest task;
          task.title = "Fix the cart";
          return service::create_task(ctx, task).has_value() && service::create_task(ctx, task).has_value();
        },
        the_admin());
  }

  store::AttachmentFiles& files() { return *store->attachment_files(); }

  store::AttachmentPlace attach(std::string_view task, std::string key = {}) {
    service::AttachRequest request;
    request.id = service::TaskRef{std::string{task}};
    request.name = "log.txt";
    request.content = "a line";
    auto call = api::call_of<&service::attach_file>(std::move(request), the_admin());
    call.idempotency_key = std::move(key);
    auto answer = executor.run(std::move(call));
    REQUIRE(answer);
    auto const made = std::move(*answer).as<core::Task>();
    REQUIRE(made);
    return {{}, made->id, made->attachments.at(0).id, "log.txt"};
  }

  std::vector<store::AttachmentPlace> kept() {
    return files().old_places(0, core::Instant::max(), 1000).places;
  }

  test::Scratch directory;
  test::FakeClock clock;
  std::unique_ptr<store::Store> store = store::open_store("sqlite:" + (directory / "andon.db").native());
  api::LocalExecutor executor{*store, clock, 2};
};

}  // namespace

TEST_CASE("ClearAttachments.RemovesWhatNoRecordNamesAndKeepsTheRest") {
  Database data;
  auto const recorded = data.attach("1");
  data.files().put({{}, 1, "ff", "log.txt"}, "left behind");
  data.files().put({{}, 2, "ff", "log.txt"}, "left behind");
  CHECK(data.executor.clear_attachments(0, core::Instant::max(), 1) == 2);
  CHECK(data.executor.clear_attachments(2, core::Instant::max(), 1) == 0);
  CHECK(data.kept() == std::vector{recorded});
}

TEST_CASE("ClearAttachments.KeepsWhatWasWrittenLately") {
  Database data;
  data.files().put({{}, 1, "ff", "log.txt"}, "its record comes soon");
  data.executor.clear_attachments(0, core::Instant{}, 10);
  CHECK(data.kept().size() == 1);
}

TEST_CASE("ClearAttachments.KeepsTheFilesOfAnotherDatabase") {
  Database data;
  data.files().put({{}, 3, "ff", "log.txt"}, "of a task that is not made here");
  CHECK(data.executor.clear_attachments(0, core::Instant::max(), 10) == 0);
  CHECK(data.kept().size() == 1);
}

TEST_CASE("Attach.SentAgainWithItsKeyStoresOneContent") {
  Database data;
  auto const first = data.attach("1", "k1");
  CHECK(data.attach("1", "k1") == first);
  CHECK(data.kept() == std::vector{first});
}
