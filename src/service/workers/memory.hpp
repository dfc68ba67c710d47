#pragma once

#include "service/requests.hpp"

namespace andon::service {

// Memory lies in files of the machine: topics, each a Markdown file beneath `memory` of the data directory.
// Here is who may see and write which, and what the machine answers.

/// The topic a run's worker keeps itself.
inline constexpr std::string_view kOwnTopic = "own";

/// The reader of the memory, who decides which topics are visible.
struct MemoryReader {
  std::vector<core::Worker> workers;  ///< all that may be told topics; a run's own alone
  bool sees_all = false;              ///< a person does; a run sees what its worker was given
  std::vector<std::string> tags;      ///< of the run's task
};
BOOST_DESCRIBE_STRUCT(MemoryReader, (), (workers, sees_all, tags))

struct MemoryTopicView {
  std::string topic;
  std::string given_to;
  std::int64_t bytes = 0;
  core::Instant changed{};
};
BOOST_DESCRIBE_STRUCT(MemoryTopicView, (), (topic, given_to, bytes, changed))
inline constexpr std::array kMemoryTopicViewFields{
    core::Field{"topic", "File beneath the memory directory", core::always},
    core::Field{"given_to", "Who gets it with every task", core::always},
    core::Field{"bytes", "Its length", core::always},
    core::Field{"changed", "When it was changed", core::always}};
constexpr auto const& fields(MemoryTopicView const*) { return kMemoryTopicViewFields; }

struct MemoryTopics {
  std::vector<MemoryTopicView> items;
};
BOOST_DESCRIBE_STRUCT(MemoryTopics, (), (items))
inline constexpr std::array kMemoryTopicsFields{core::Field{"items", "The topics", core::always}};
constexpr auto const& fields(MemoryTopics const*) { return kMemoryTopicsFields; }

core::Result<MemoryReader> list_memory(OperationContext& ctx, NoRequest const&);

struct MemoryTopicRequest {
  std::string topic;
};
BOOST_DESCRIBE_STRUCT(MemoryTopicRequest, (), (topic))
inline constexpr std::array kMemoryTopicRequestFields{
    core::Field{"topic", "File beneath the memory directory; in a run, own is its worker's", core::required}};
constexpr auto const& fields(MemoryTopicRequest const*) { return kMemoryTopicRequestFields; }

struct TopicQuestion {
  MemoryReader reader;
  std::string topic;
};
BOOST_DESCRIBE_STRUCT(TopicQuestion, (), (reader, topic))

struct MemoryText {
  std::string topic;
  std::string text;
};
BOOST_DESCRIBE_STRUCT(MemoryText, (), (topic, text))
inline constexpr std::array kMemoryTextFields{core::Field{"topic", "The topic", core::always},
                                              core::Field{"text", "What is in it", core::always}};
constexpr auto const& fields(MemoryText const*) { return kMemoryTextFields; }

core::Result<TopicQuestion> show_memory(OperationContext& ctx, MemoryTopicRequest const& request);

struct AddMemoryRequest {
  std::string text;
  std::string topic;
  std::string worker;
};
BOOST_DESCRIBE_STRUCT(AddMemoryRequest, (), (text, topic, worker))
inline constexpr std::array kAddMemoryFields{
    core::Field{"text", "What is worth remembering, at most 2 KiB", core::required},
    core::Field{"topic", "Topic it belongs to; in a run only own"},
    core::Field{"worker", "Worker whose own topic it belongs to"}};
constexpr auto const& fields(AddMemoryRequest const*) { return kAddMemoryFields; }

/// An entry to be put at the end of a topic.
struct MemoryEntry {
  std::string topic;
  std::string text;
  bool rolls = false;  ///< the oldest entries make room, where a topic of people refuses
};
BOOST_DESCRIBE_STRUCT(MemoryEntry, (), (topic, text, rolls))

struct MemoryAdded {
  std::string topic;
  std::int64_t bytes = 0;
  std::int64_t dropped = 0;
};
BOOST_DESCRIBE_STRUCT(MemoryAdded, (), (topic, bytes, dropped))
inline constexpr std::array kMemoryAddedFields{
    core::Field{"topic", "Where it was added", core::always},
    core::Field{"bytes", "Its length now", core::always},
    core::Field{"dropped", "How many of the oldest entries made room", core::set_only}};
constexpr auto const& fields(MemoryAdded const*) { return kMemoryAddedFields; }

/// A run writes to its own worker's topic alone; people to any.
core::Result<MemoryEntry> add_memory(OperationContext& ctx, AddMemoryRequest const& request);

/// `workers/NAME.md`.
std::string own_topic(std::string_view worker);

}  // namespace andon::service
