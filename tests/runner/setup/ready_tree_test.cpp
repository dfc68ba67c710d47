#include "runner/setup/ready_tree.hpp"

#include <fcntl.h>
#include <fstream>
#include <map>
#include <netinet/in.h>
#include <set>
#include <sys/socket.h>
#include <sys/stat.h>

#include "os/network/free_port.hpp"
#include "runner/setup/copied_files.hpp"
#include "runner/setup/tree_record.hpp"
#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/workspace.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace {

namespace fs = std::filesystem;

/// A repository with an ignored `.env`, and work trees of tasks with a set-up that counts its calls.
struct ReadyPlace : GitPlace {
  TreeSetup setup;
  int calls = 0;
  bool passes = true;
  std::vector<ReadyTree> seen;
  std::map<std::int64_t, std::optional<core::WorkPlace>> trees;

  ReadyPlace() {
    at(repo, "printf '.env\\nmade\\n' >.gitignore; echo 1 >lock; git add .; git commit -qm ignore");
    setup.repo = repo;
    setup.records = scratch.path() / "trees";
    setup.kept = scratch.path() / "setups" / "shop";
  }

  core::WorkPlace tree_of(std::int64_t task) {
    auto& known = trees[task];
    auto spec = workspace(std::to_string(task) + "-cart");
    spec.place = known;
    auto const made = prepare(spec);
    REQUIRE(made);
    known = *made;
    return *made;
  }

  /// Each command of the set-up writes the number of its call into `made/number`.
  core::Result<ReadyTree> ready(core::WorkPlace const& tree, bool is_untouched = true) {
    Git const git{tree, use_for(workspace({}))};
    return make_ready({setup, git, is_untouched}, [&](CheckSpec const& command, ReadyTree const& so_far) {
      seen.push_back(so_far);
      ++calls;
      fs::create_directories(fs::path{tree.directory} / "made");
      std::ofstream{fs::path{tree.directory} / "made" / "number"} << calls;
      core::CheckResult out;
      out.name = command.name;
      out.passed = passes;
      out.exit = core::Exit{passes ? 0 : 3, {}};
      out.output = "no network\n";
      return out;
    });
  }
};

std::string number_in(core::WorkPlace const& tree) {
  std::ifstream file{fs::path{tree.directory} / "made" / "number"};
  std::string out;
  file >> out;
  return out;
}

}  // namespace

TEST_CASE("ReadyTree.ASetUpRunsOnceForEachTreeAndAgainAfterAFailure") {
  ReadyPlace place;
  place.setup.commands = {{"npm", "ci"}};
  auto const tree = place.tree_of(7);
  place.passes = false;
  auto const failed = place.ready(tree);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message == "the set-up \"npm ci\" ended with exit 3:\nno network\n");
  place.passes = true;
  CHECK(place.ready(tree));
  CHECK(place.ready(tree));
  CHECK(place.calls == 2);
  place.setup.commands = {{"npm", "install"}};
  CHECK(place.ready(tree));
  CHECK(place.calls == 3);
}

TEST_CASE("ReadyTree.ResultsOfAnUntouchedTreeServeTreesWithTheSameKeyFiles") {
  ReadyPlace place;
  place.setup.commands = {{"make-it"}};
  place.setup.cache = core::SetupCache{{"lock"}, {"made"}};
  auto const first = place.tree_of(1);
  auto const second = place.tree_of(2);
  auto const third = place.tree_of(3);
  CHECK(place.ready(first));
  CHECK(place.ready(second));
  CHECK(place.calls == 1);
  CHECK(number_in(second) == "1");
  at(third.directory, "echo 2 >lock");
  CHECK(place.ready(third, false));
  CHECK(number_in(third) == "2");
  at(second.directory, "rm -rf made");
  CHECK(place.ready(second));
  CHECK(number_in(second) == "1");
  at(second.directory, "echo 2 >lock");
  CHECK(place.ready(second, false));
  CHECK(place.calls == 3);  // the third tree was not untouched, so nothing of it was kept
  at(first.directory, "echo changed >made/number");
  CHECK(number_in(place.tree_of(1)) == "changed");
  auto const fourth = place.tree_of(4);
  CHECK(place.ready(fourth));
  CHECK(number_in(fourth) == "1");  // a tree shares no file with the kept results
}

TEST_CASE("ReadyTree.KeptResultsAreBounded") {
  ReadyPlace place;
  place.setup.commands = {{"make-it"}};
  place.setup.cache = core::SetupCache{{"lock"}, {"made"}};
  for (int i = 0; i < 6; ++i) {
    auto const tree = place.tree_of(i + 1);
    at(tree.directory, "echo " + std::to_string(i) + " >lock");
    CHECK(place.ready(tree));
  }
  auto const kept = std::distance(fs::directory_iterator{place.setup.kept}, fs::directory_iterator{});
  CHECK(kept == 3);
}

TEST_CASE("ReadyTree.CopiedFilesArriveWithTheirSecretsAndAreNeverCommitted") {
  ReadyPlace place;
  place.setup.copy = {".env"};
  place.setup.commands = {{"true"}};
  std::ofstream{place.repo / ".env"}
      << "# a comment\nexport API_KEY=\"s3cret-value\"\nPORT=80\n\nplain-token-1\n";
  auto const tree = place.tree_of(7);
  auto const ready = place.ready(tree);
  REQUIRE(ready);
  CHECK(ready->secrets == std::vector<std::string>{"s3cret-value", "80", "plain-token-1"});
  CHECK(place.seen.front().secrets == ready->secrets);
  CHECK(at(tree.directory, "stat -c %a .env; git status --porcelain") == "600");
  at(tree.directory, "echo >.gitignore; echo new >file");
  record_work(place.workspace({}), tree, 911, {}, use_for(place.workspace({})),
              test::finished(place.setup.copy));
  CHECK(at(tree.directory, "git show --name-only --format= HEAD") == ".gitignore\nfile\nmade/number");
  at(tree.directory, "git add -f .env; git commit -qm tracked; echo changed >.env");
  CHECK(place.ready(tree));
  CHECK(at(tree.directory, "tail -1 .env") == "plain-token-1");
}

TEST_CASE("ReadyTree.AFileThatMayNotBeCopiedIsNamedWithTheReason") {
  struct Row {
    std::string_view file;
    std::string_view script;  ///< in the repository, before the tree is made
    std::string_view then;    ///< in the tree
    std::string_view says;
  };
  for (auto const& row :
       {Row{".env", "true", "true", "is not in"}, Row{"b.txt", "true", "true", "is not ignored by git"},
        Row{".env", "ln -s /etc/passwd .env", "true", "reached through a link"},
        Row{".env", "mkdir .env", "true", "no regular file"},
        Row{".env", "mkfifo .env", "true", "no regular file"},
        Row{"made/x", "ln -s /etc made", "true", "reached through a link"},
        Row{"made/x", "mkdir made; echo 1 >made/x", "ln -s /tmp made", "reached through a link"},
        Row{".env", "echo 1 >.env", "mkfifo .env", "no regular file"},
        Row{".env", "echo 1 >.env", "ln -s ../../escaped .env", "reached through a link"},
        Row{".env", "truncate -s 17M .env", "true", "larger than 16 MiB"}}) {
    INFO(row.script << " " << row.then);
    ReadyPlace place;
    at(place.repo, std::string{row.script});
    place.setup.copy = {std::string{row.file}};
    auto const tree = place.tree_of(7);
    at(tree.directory, std::string{row.then});
    auto const ready = place.ready(tree);
    REQUIRE_FALSE(ready);
    CHECK(ready.error().message.find(row.says) != std::string::npos);
    CHECK(ready.error().field == "copy");
    CHECK_FALSE(fs::exists(place.scratch.path() / "escaped"));
  }
}

TEST_CASE("ReadyTree.EachTreeHasPortsOfItsOwnWhileItExists") {
  ReadyPlace place;
  place.setup.ports = 3;
  std::set<std::string> given;
  for (int task = 1; task <= 4; ++task) {
    auto const ready = place.ready(place.tree_of(task));
    REQUIRE(ready);
    CHECK(ready->environment.size() == 3);
    for (auto const& variable : ready->environment) given.insert(variable.substr(variable.find('=')));
  }
  CHECK(given.size() == 12);
  auto const again = place.ready(place.tree_of(2));
  auto const before = read_tree_record(place.setup.records, place.tree_of(2).directory);
  CHECK(again->environment.front() == "ANDON_PORT_0=" + std::to_string(before.ports.first));
  auto const freed = read_tree_record(place.setup.records, place.tree_of(1).directory).ports;
  fs::remove_all(place.tree_of(1).directory);
  CHECK(take_ports(place.setup.records, place.work / "9-new", 3).value() == freed);
}

TEST_CASE("ReadyTree.PortsThatStrangersHaveAreNotGiven") {
  ReadyPlace place;
  auto const first = take_ports(place.setup.records, place.tree_of(1).directory, 2);
  REQUIRE(first);
  os::Descriptor const socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(first->first + 1));
  REQUIRE(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  REQUIRE(::listen(socket.get(), 1) == 0);
  CHECK_FALSE(os::is_port_free(first->first + 1));
  auto const moved = take_ports(place.setup.records, place.tree_of(1).directory, 2);
  REQUIRE(moved);
  CHECK(moved->first > first->first + 1);
}

TEST_CASE("ReadyTree.WhenNoPortsAreLeftTheRefusalSaysWhatToDo") {
  ReadyPlace place;
  auto const tree = place.tree_of(1);
  for (int task = 2; task <= 3; ++task) {
    auto const other = place.tree_of(task);
    TreeRecord record;
    record.directory = other.directory;
    record.ports = {task == 2 ? 20'000 : 26'000, 6'000};
    write_tree_record(place.setup.records, record);
  }
  auto const refused = take_ports(place.setup.records, tree.directory, 1);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("andon work clean") != std::string::npos);
}

TEST_CASE("ReadyTree.ADamagedRecordIsNoRecord") {
  ReadyPlace place;
  place.setup.commands = {{"make-it"}};
  auto const tree = place.tree_of(7);
  CHECK(place.ready(tree));
  for (auto const& entry : fs::recursive_directory_iterator{place.setup.records})
    if (entry.is_regular_file() && entry.path().extension() == ".json") std::ofstream{entry.path()} << "{";
  CHECK(place.ready(tree));
  CHECK(place.calls == 2);
}
