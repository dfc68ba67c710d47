#include "runner/profiles/profile_book.hpp"

#include <algorithm>
#include <sys/stat.h>

#include "core/runs/secret_text.hpp"
#include "os/embedded.hpp"
#include "os/files/exposure.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t kLargestProfile = 256U << 10U;
constexpr int kLongestChainOfBases = 8;

struct Source {
  std::string file;
  json::value content;
  bool is_built_in = false;
};

/// The profile files of a directory, sorted by name; none if the directory does not exist.
std::vector<fs::path> files_of(fs::path const& directory) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry{directory, error}; !error && entry != fs::directory_iterator{};
       entry.increment(error))
    if (auto const& file = entry->path();
        file.extension() == ".json" && !file.filename().native().starts_with('.'))
      files.push_back(file);
  std::ranges::sort(files);
  return files;
}

std::string id_of(json::value const& content) {
  auto const* object = content.if_object();
  auto const* id = object ? object->if_contains("id") : nullptr;
  return id && id->is_string() ? std::string{id->get_string().data(), id->get_string().size()}
                               : std::string{};
}

std::string base_of(json::object const& content) {
  auto const* base = content.if_contains("extends");
  return base && base->is_string() ? std::string{base->get_string().data(), base->get_string().size()}
                                   : std::string{};
}

/// The profile on top of its bases. Refuses a missing base.
core::Result<json::value> with_bases(std::map<std::string, Source> const& sources,
                                     json::value const& content) {
  auto const* object = content.if_object();
  if (!object) return content;
  auto whole = *object;
  auto base = base_of(whole);
  for (int i = 0; !base.empty(); ++i) {
    auto const found = sources.find(base);
    if (found == sources.end() || !found->second.content.is_object() || i == kLongestChainOfBases)
      return core::refuse(core::Code::kInvalidInput, "there is no profile \"" + base + "\" to extend",
                          "extends");
    auto const& below = found->second.content.get_object();
    auto next = base_of(below);
    whole = merged(below, whole);
    base = std::move(next);
  }
  return json::value(std::move(whole));
}

/// Refuses a profile whose file others can read although a variable in it looks like a secret.
core::Result<void> check_disclosure(fs::path const& file, Profile const& profile) {
  auto const disclosure = os::disclosure_of(file);
  if (!disclosure) return {};
  for (auto const& [name, value] : profile.env)
    if (value.is_string() && core::is_secret_value(name, std::string_view{value.get_string()}))
      return core::refuse(core::Code::kInvalidInput, disclosure->text, "env/" + name);
  return {};
}

std::string pointer_to(core::Error const& error) { return error.field.empty() ? "" : "/" + error.field; }

std::string_view text_of(EmbeddedFile const& file) {
  return {reinterpret_cast<char const*>(file.raw.data()), file.raw.size()};
}

}  // namespace

std::string to_text(ProfileProblem const& problem) {
  return problem.file + (problem.pointer.empty() ? "" : " at " + problem.pointer) + ": " + problem.reason;
}

ProfileBook::ProfileBook(fs::path administrators) : directory_(std::move(administrators)) {
  state_ = state_of_directory();
  load();
}

bool ProfileBook::reload() {
  auto state = state_of_directory();
  if (state == state_) return false;
  state_ = std::move(state);
  load();
  return true;
}

std::string ProfileBook::state_of_directory() const {
  std::string state;
  for (auto const& file : files_of(directory_)) {
    struct stat about{};
    if (::stat(file.c_str(), &about) != 0) continue;
    for (auto const number : {static_cast<long>(about.st_ino), about.st_size, about.st_mtim.tv_sec,
                              about.st_mtim.tv_nsec, about.st_ctim.tv_sec, about.st_ctim.tv_nsec})
      state += std::to_string(number) + " ";
    state += file.native() + "\n";
  }
  return state;
}

void ProfileBook::load() {
  profiles_.clear();
  files_.clear();
  problems_.clear();
  std::map<std::string, Source> sources;
  auto const take = [&](std::string const& file, std::string_view text, bool is_built_in) {
    auto content = reflect::parse_json(text);
    if (!content)
      problems_.push_back({file, {}, content.error().message});
    else if (auto id = id_of(*content); id.empty())
      problems_.push_back({file, "/id", "is missing"});
    else
      sources[id] = {file, *std::move(content), is_built_in};
  };
  for (auto const& file : agent_profile_files())
    take("agents/" + std::string{file.path}, text_of(file), true);
  for (auto const& file : files_of(directory_)) {
    if (auto const exposure = os::exposure_of(file)) {
      problems_.push_back({file.native(), {}, exposure->text});
      continue;
    }
    try {
      take(file.native(), os::read_file(file, kLargestProfile), false);
    } catch (os::SystemError const& error) {
      // A file that was removed after the directory was listed is not there.
      if (std::error_code none; fs::symlink_status(file, none).type() != fs::file_type::not_found)
        problems_.push_back({file.native(), {}, error.what()});
    }
  }
  for (auto const& [id, source] : sources) {
    files_[id] = source.file;
    auto const whole = with_bases(sources, source.content);
    auto profile = whole ? read_profile(*whole) : core::refuse(whole.error());
    if (profile && !source.is_built_in)
      if (auto const checked = check_disclosure(source.file, *profile); !checked)
        profile = core::refuse(checked.error());
    if (profile)
      profiles_.emplace(id, *std::move(profile));
    else
      problems_.push_back({source.file, pointer_to(profile.error()), profile.error().message});
  }
}

Profile const* ProfileBook::find(std::string_view id) const {
  auto const found = profiles_.find(id);
  return found == profiles_.end() ? nullptr : &found->second;
}

std::string ProfileBook::why_missing(std::string_view id) const {
  auto const name = std::string{kNoProfile} + "\"" + std::string{id} + "\"";
  for (auto const& problem : problems_)
    if (problem.file == file_of(id) || fs::path{problem.file}.stem() == id)
      return name + ": " + to_text(problem);
  std::string known;
  for (auto const* profile : profiles()) known += (known.empty() ? "" : ", ") + profile->id;
  return name + "; there are: " + known;
}

std::string ProfileBook::file_of(std::string_view id) const {
  auto const found = files_.find(id);
  return found == files_.end() ? std::string{} : found->second;
}

std::vector<Profile const*> ProfileBook::profiles() const {
  std::vector<Profile const*> all;
  for (auto const& [id, profile] : profiles_) all.push_back(&profile);
  return all;
}

}  // namespace andon::runner
