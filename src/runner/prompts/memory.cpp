#include "runner/prompts/memory.hpp"

#include <algorithm>
#include <chrono>

#include "core/text/names.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/profiles/document.hpp"
#include "runner/prompts/memory_file.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
using core::Code;
using core::Result;

constexpr std::size_t kMostGiven = 64;
constexpr std::size_t kMostListed = 1'000;
constexpr std::string_view kAlways = "always/";
constexpr std::string_view kTags = "tags/";
constexpr std::string_view kWorkers = "workers/";
constexpr std::string_view kEnding = ".md";

bool is_hidden(fs::path const& path) { return path.filename().native().starts_with('.'); }

/// Whether a file is a topic with a name that can be shown and requested.
bool is_topic_file(fs::directory_entry const& entry) {
  auto const name = entry.path().filename().native();
  std::error_code error;
  return entry.is_regular_file(error) && !entry.is_symlink(error) && name.ends_with(kEnding) &&
         !is_hidden(entry.path()) && !core::is_unsafe_line(name);
}

/// The topics beneath a folder of the memory, sorted by name.
std::vector<std::string> topics_in(fs::path const& directory, std::string_view folder = {}) {
  std::vector<std::string> out;
  std::error_code error;
  auto at = fs::recursive_directory_iterator{directory / folder, error};
  for (; !error && at != fs::recursive_directory_iterator{} && out.size() < kMostListed;
       at.increment(error)) {
    if (is_hidden(at->path())) at.disable_recursion_pending();
    if (is_topic_file(*at)) out.push_back(at->path().lexically_relative(directory).native());
  }
  std::ranges::sort(out);
  return out;
}

/// The file name of a topic, whose name may omit the ending.
std::string with_ending(std::string_view name) {
  return name.ends_with(kEnding) ? std::string{name} : std::string{name} + std::string{kEnding};
}

bool names(core::Worker const& worker, std::string_view topic) {
  return std::ranges::any_of(worker.memory, [&](auto const& name) { return with_ending(name) == topic; });
}

std::string given_to(std::string_view topic, std::vector<core::Worker> const& workers) {
  auto const stem = topic.substr(0, topic.size() - kEnding.size());
  if (topic.starts_with(kAlways)) return "everybody";
  if (topic.starts_with(kTags)) return "tasks tagged " + std::string{stem.substr(kTags.size())};
  std::string out = topic.starts_with(kWorkers) ? std::string{stem.substr(kWorkers.size())} : std::string{};
  for (auto const& worker : workers)
    if (names(worker, topic) && worker.name != out) out += (out.empty() ? "" : ", ") + worker.name;
  return out.empty() ? "nobody" : out;
}

std::optional<service::MemoryTopicView> look_at(fs::path const& directory, std::string const& topic,
                                                std::vector<core::Worker> const& workers) {
  std::error_code error;
  auto const bytes = fs::file_size(directory / topic, error);
  auto const changed = error ? fs::file_time_type{} : fs::last_write_time(directory / topic, error);
  if (error) return std::nullopt;
  auto const at = std::chrono::floor<core::Duration>(std::chrono::file_clock::to_sys(changed));
  return service::MemoryTopicView{topic, given_to(topic, workers), static_cast<std::int64_t>(bytes), at};
}

std::unexpected<core::Error> no_topic(std::string const& topic) {
  return core::refuse(Code::kNotFound, "there is no topic \"" + topic + "\"; see: andon memory list",
                      "topic");
}

std::unexpected<core::Error> refusal_of(os::SystemError const& error) {
  return core::refuse(error.number() == ENOSPC ? Code::kNoSpace : Code::kInvalidInput, error.what(), "topic");
}

}  // namespace

std::vector<std::string> Memory::names_for(core::Worker const& worker,
                                           std::vector<std::string> const& tags) const {
  auto out = topics_in(directory_, kAlways);
  auto const take = [&](std::string name) {
    if (std::ranges::find(out, name) == out.end()) out.push_back(std::move(name));
  };
  for (auto const& name : worker.memory) take(with_ending(name));
  for (auto const& tag : tags)
    if (tag.find('/') == std::string::npos) take(std::string{kTags} + with_ending(tag));
  take(service::own_topic(worker.name));
  if (out.size() > kMostGiven) out.resize(kMostGiven);
  return out;
}

std::vector<MemoryTopic> Memory::given(core::Worker const& worker,
                                       std::vector<std::string> const& tags) const {
  std::vector<MemoryTopic> out;
  auto const own = service::own_topic(worker.name);
  for (auto const& name : names_for(worker, tags)) {
    auto text = read_document(directory_, name);
    if (text || names(worker, name)) out.push_back({name, std::move(text).value_or(""), name == own});
  }
  return out;
}

std::vector<std::string> Memory::visible(service::MemoryReader const& reader) const {
  if (reader.sees_all) return topics_in(directory_);
  return reader.workers.empty() ? std::vector<std::string>{} : names_for(reader.workers.front(), reader.tags);
}

service::MemoryTopics Memory::list(service::MemoryReader const& reader) const {
  service::MemoryTopics out;
  for (auto const& topic : visible(reader))
    if (auto view = look_at(directory_, topic, reader.workers)) out.items.push_back(*std::move(view));
  return out;
}

Result<service::MemoryText> Memory::show(service::TopicQuestion const& question) const try {
  auto const topics = question.reader.sees_all ? std::vector{question.topic} : visible(question.reader);
  if (std::ranges::find(topics, question.topic) == topics.end()) return no_topic(question.topic);
  auto text = read_document(directory_, question.topic);
  if (!text) return no_topic(question.topic);
  return service::MemoryText{question.topic, *std::move(text)};
} catch (os::SystemError const& error) {
  return refusal_of(error);
}

Result<service::MemoryAdded> Memory::add(service::MemoryEntry const& entry) const try {
  return add_to_file(directory_, entry);
} catch (os::SystemError const& error) {
  return refusal_of(error);
}

}  // namespace andon::runner
