#include "cli/commands/teams/team_file.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "cli/command_line/request.hpp"
#include "cli/commands/teams/role_documents.hpp"
#include "cli/views/display_path.hpp"
#include "core/text/names.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "service/teams/team.hpp"

namespace andon::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using core::Code;
using core::Result;
using reflect::YamlNode;

constexpr std::size_t kLongestTeamFile = 1U << 20U;
constexpr std::size_t kMostFiles = 100;

bool is_team_file(fs::path const& path) {
  return (path.extension() == ".yml" || path.extension() == ".yaml") && fs::is_regular_file(path);
}

Result<std::vector<fs::path>> files_of(fs::path const& folder, std::string const& seen) {
  std::vector<fs::path> out;
  for (auto const& entry : fs::directory_iterator(folder))
    if (is_team_file(entry.path())) out.push_back(entry.path());
  std::ranges::sort(out);
  if (out.empty())
    return core::refuse(Code::kInvalidInput, seen + " holds no .yml file that describes a team");
  if (out.size() > kMostFiles)
    return core::refuse(Code::kTooLarge, seen + " holds more than " + std::to_string(kMostFiles) + " files");
  return out;
}

/// `columns/2/name` of `boards/7/columns/2/name`, with the section and the number before it.
struct FieldPath {
  std::string_view section;
  std::size_t index = 0;
  bool has_index = false;
  std::string_view rest;
};
FieldPath parted(std::string_view field) {
  FieldPath out;
  out.section = field.substr(0, field.find('/'));
  field.remove_prefix(std::min(field.size(), out.section.size() + 1));
  auto const number = field.substr(0, field.find('/'));
  auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), out.index);
  out.has_index = !number.empty() && error == std::errc{} && end == number.data() + number.size();
  out.rest = field.substr(std::min(field.size(), number.size() + 1));
  return out;
}

}  // namespace

Result<TeamFile> TeamFile::read(fs::path const& given, fs::path const& directory, std::istream& input) try {
  TeamFile out;
  if (given == "-") {
    ANDON_TRY(auto const text, read_input(input, kLongestTeamFile));
    ANDON_CHECK(out.add("standard input", text));
    ANDON_CHECK(out.take_sections());
    return out;
  }
  auto const path = directory / given;
  bool const is_folder = fs::is_directory(path);
  std::vector<fs::path> files{path};
  if (is_folder) ANDON_SET(files, files_of(path, display_path(directory, path)));
  for (auto const& file : files)
    ANDON_CHECK(out.add(display_path(directory, file), os::read_file(file, kLongestTeamFile)));
  ANDON_CHECK(out.take_sections());
  ANDON_CHECK(out.take_documents((is_folder ? path : path.parent_path()) / "roles"));
  return out;
} catch (os::SystemError const& error) {
  return core::refuse(Code::kInvalidInput, error.what());
} catch (fs::filesystem_error const& error) {
  return core::refuse(Code::kInvalidInput, error.what());
}

Result<void> TeamFile::add(std::string name, std::string_view text) {
  ANDON_TRY(auto root, reflect::parse_yaml(text, name));
  sources_.push_back({std::move(name), std::move(root)});
  return {};
}

std::string TeamFile::at(std::size_t source, reflect::YamlPlace place) const {
  return sources_[source].name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
}

Result<void> TeamFile::take_sections() {
  std::string known;
  for (auto const& member : reflect::type_of<service::Team>().members()) {
    sections_.push_back({std::string{member.name}, member.type->element->element, false, {}});
    known.append(known.empty() ? "" : ", ").append(member.name);
  }
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    auto const& root = sources_[i].root;
    if (root.kind != YamlNode::Kind::map)
      return core::refuse(Code::kInvalidInput, at(i, root.place) + "a team is made of sections: " + known);
    for (auto const& entry : root.entries) {
      auto const section = std::ranges::find(sections_, entry.key, &Section::name);
      if (section == sections_.end())
        return core::refuse(
            Code::kUnknownField,
            at(i, entry.place) + "there is no section \"" + entry.key + "\"; there are " + known, entry.key);
      if (entry.value.kind != YamlNode::Kind::list)
        return core::refuse(Code::kInvalidInput, at(i, entry.place) + "\"" + entry.key + "\" must be a list",
                            entry.key);
      section->is_there = true;
      for (auto const& item : entry.value.items) section->items.push_back({i, &item});
    }
  }
  return {};
}

/// Links are not followed: a folder from elsewhere must not bring files of this machine into a prompt.
Result<void> TeamFile::take_documents(fs::path const& folder) {
  auto const workers = std::ranges::find(sections_, "workers", &Section::name);
  for (auto const& item : workers->items) {
    auto const* named = item.node->find("prompt_file");
    if (!named) continue;
    auto const name = document_name(named->text);
    bool const is_known = std::ranges::find(documents_, name, &RoleDocument::name) != documents_.end();
    if (is_known || !core::is_name(name) || !fs::is_regular_file(fs::symlink_status(folder / name))) continue;
    auto text = os::read_file(folder / name, kLongestTeamFile);
    if (!core::is_utf8(text))
      return core::refuse(Code::kMalformed, (folder / name).native() + " is not valid UTF-8", "prompt_file");
    documents_.push_back({name, std::move(text)});
  }
  return {};
}

json::object TeamFile::request() const {
  json::object out;
  for (auto const& section : sections_) {
    if (!section.is_there) continue;
    json::array items;
    for (auto const& item : section.items) items.push_back(reflect::json_of(*item.node, *section.type));
    out[section.name] = std::move(items);
  }
  return out;
}

core::Error TeamFile::placed(core::Error error) const {
  auto const path = parted(error.field);
  auto const section = std::ranges::find(sections_, path.section, &Section::name);
  if (section == sections_.end() || !path.has_index || path.index >= section->items.size()) return error;
  auto const& item = section->items[path.index];
  error.message = at(item.source, reflect::place_of(*item.node, path.rest)) + error.message;
  return error;
}

}  // namespace andon::cli
