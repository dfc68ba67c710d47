#include "cli/views/task_views.hpp"

#include <doctest/doctest.h>

#include "cli/views/paper.hpp"

using namespace andon;
using test::Paper;

namespace {

core::Task asked_in_work() {
  core::Task task;
  task.id = 7;
  task.title = "Fix the cart";
  task.status = "in-progress";
  task.priority = "high";
  task.stage = core::Stage::active;
  task.run = core::RunId{12};
  task.question = core::Question{"May I run make?", {"Allow", "Deny"}, "worker:ada", {}, 12};
  return task;
}

}  // namespace

TEST_CASE("TaskViews.ShowWhatAnAgentAsksWhileItWorks") {
  Paper const paper;
  auto const page = cli::task_page(asked_in_work(), {}, paper.clock.now(), paper.screen);
  CHECK(page.contains("  Asks:        May I run make?\n"));
  CHECK(page.contains("  Choices:     Allow | Deny\n"));
}

TEST_CASE("TaskViews.ListsMarkATaskWhoseAgentAsks") {
  Paper const paper;
  std::vector const tasks{asked_in_work()};
  CHECK(cli::task_list(tasks, paper.screen).contains("in-progress (asks)"));
}
