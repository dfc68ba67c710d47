#include "runner/prompts/memory.hpp"

#include <doctest/doctest.h>

#include "os/files/file.hpp"
#include "runner/prompts/memory_file.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;
namespace fs = std::filesystem;

namespace {

/// A directory of topics.
struct Memories {
  void put(std::string const& topic, std::string_view text) const {
    os::make_private_directory((scratch.path() / topic).parent_path());
    os::write_file(scratch.path() / topic, text);
  }
  std::vector<std::string> given(std::vector<std::string> names,
                                 std::vector<std::string> const& tags = {}) const {
    core::Worker worker;
    worker.name = "dev";
    worker.memory = std::move(names);
    std::vector<std::string> out;
    for (auto const& topic : memory.given(worker, tags)) out.push_back(topic.name + "=" + topic.text);
    return out;
  }

  test::Scratch scratch;
  Memory memory{scratch.path()};
};

using Texts = std::vector<std::string>;

service::MemoryEntry an_entry(std::string text, bool rolls = true) {
  return {"workers/dev.md", std::move(text), rolls};
}

}  // namespace

TEST_CASE("Memory.IsGivenToEverybodyByNameByTagAndToItsOwner") {
  Memories const memories;
  CHECK(memories.given({}) == Texts{});
  memories.put("always/house.md", "a");
  memories.put("hosting.md", "h");
  memories.put("tags/api.md", "t");
  memories.put("workers/dev.md", "o");
  memories.put("workers/qa.md", "x");
  memories.put("other.md", "x");
  CHECK(memories.given({"hosting.md"}, {"api", "web"}) ==
        Texts{"always/house.md=a", "hosting.md=h", "tags/api.md=t", "workers/dev.md=o"});
  CHECK(memories.given({"hosting", "hosting.md", "workers/dev"}) ==
        Texts{"always/house.md=a", "hosting.md=h", "workers/dev.md=o"});
}

TEST_CASE("Memory.ATopicThatIsNotWrittenYetIsEmpty") {
  Memories const memories;
  CHECK(memories.given({"new"}) == Texts{"new.md="});
}

TEST_CASE("Memory.NoNameLeadsOutOfIt") {
  Memories const memories;
  os::write_file(memories.scratch.path().parent_path() / "andon-memory-test.md", "secret");
  fs::create_symlink("../andon-memory-test.md", memories.scratch / "link.md");
  fs::create_directory(memories.scratch / "always");
  fs::create_symlink("../../andon-memory-test.md", memories.scratch / "always/link.md");
  for (auto const* name : {"../andon-memory-test.md", "link.md", "/etc/hostname.md"}) {
    CAPTURE(name);
    CHECK_THROWS(memories.given({name}));
  }
  CHECK(memories.given({}, {"../../andon-memory-test"}) == Texts{});
  CHECK(memories.memory.list({{}, true, {}}).items.empty());
  fs::remove(memories.scratch.path().parent_path() / "andon-memory-test.md");
}

TEST_CASE("Memory.WhatIsNotUtf8IsMadeSo") {
  Memories const memories;
  memories.put("a.md", "x\xFFy");
  CHECK(memories.given({"a"}) == Texts{"a.md=x\uFFFDy"});
}

TEST_CASE("Memory.ListTellsWhoGetsATopic") {
  Memories const memories;
  for (auto const* topic : {"always/house.md", "tags/api.md", "workers/dev.md", "hosting.md", "loose.md"})
    memories.put(topic, "12");
  memories.put("not-a-topic.txt", "x");
  core::Worker worker;
  worker.name = "qa";
  worker.memory = {"hosting", "workers/dev.md"};
  Texts told;
  for (auto const& topic : memories.memory.list({{worker}, true, {}}).items)
    told.push_back(topic.topic + ":" + topic.given_to + ":" + std::to_string(topic.bytes));
  CHECK(told == Texts{"always/house.md:everybody:2", "hosting.md:qa:2", "loose.md:nobody:2",
                      "tags/api.md:tasks tagged api:2", "workers/dev.md:dev, qa:2"});
}

TEST_CASE("Memory.AReaderOfOneTaskSeesWhatItWasGiven") {
  Memories const memories;
  for (auto const* topic : {"always/house.md", "tags/api.md", "workers/dev.md", "workers/qa.md", "loose.md"})
    memories.put(topic, "text");
  core::Worker worker;
  worker.name = "dev";
  service::MemoryReader const reader{{worker}, false, {"web"}};
  CHECK(memories.memory.list(reader).items.size() == 2);
  CHECK(memories.memory.show({reader, "workers/dev.md"})->text == "text");
  for (auto const* topic : {"workers/qa.md", "loose.md", "tags/api.md", "tags/web.md"})
    CHECK(memories.memory.show({reader, topic}).error().code == core::Code::kNotFound);
}

TEST_CASE("Memory.AnEntryIsAnItemOfAList") {
  auto const noted = with_entry("# Mine", an_entry("first\r\nsecond\n"));
  REQUIRE(noted);
  CHECK(noted->text == "# Mine\n- first\n  second\n");
  CHECK(with_entry(noted->text, an_entry("more"))->text == "# Mine\n- first\n  second\n- more\n");
}

TEST_CASE("Memory.TheOldestEntriesMakeRoom") {
  std::string const topic = "# Mine\n- one\n  and on\n- two\n- three\n";
  auto const noted = with_entry(topic, an_entry("four"), topic.size());
  REQUIRE(noted);
  CHECK(noted->text == "# Mine\n- two\n- three\n- four\n");
  CHECK(noted->dropped == 1);
  CHECK(with_entry(topic, an_entry("four"), 20)->text == "# Mine\n- four\n");
  CHECK_FALSE(with_entry(topic, an_entry("four"), 10));
  auto const refused = with_entry(topic, an_entry("four", false), topic.size());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().field == "topic");
}

TEST_CASE("Memory.IsAddedToBehindNoLink") {
  Memories const memories;
  auto const added = memories.memory.add(an_entry("one"));
  REQUIRE(added);
  CHECK(added->bytes == 6);
  REQUIRE(memories.memory.add(an_entry("two")));
  CHECK(os::read_file(memories.scratch / "workers/dev.md", 100) == "- one\n- two\n");

  test::Scratch const elsewhere;
  fs::create_directory_symlink(elsewhere.path(), memories.scratch / "team");
  fs::create_symlink(elsewhere / "target.md", memories.scratch / "link.md");
  for (auto const* topic : {"team/a.md", "link.md"}) {
    auto const refused = memories.memory.add({topic, "x", false});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == core::Code::kInvalidInput);
  }
  CHECK(fs::is_empty(elsewhere.path()));
}
