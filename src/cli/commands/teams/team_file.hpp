#pragma once

#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "reflect/yaml.hpp"

namespace andon::cli {

/// A role document that stands in `roles/` beside the files of a team.
struct RoleDocument {
  std::string name;  ///< of the file within `roles/`
  std::string text;
};

/// The files of a team: one, or all `*.yml` of a folder taken together, with the role documents beside them.
class TeamFile {
 public:
  /// Reads a file, a folder, or the given input for `-`. Refusals begin with file, line and column, the file
  /// as seen from the working directory.
  static core::Result<TeamFile> read(std::filesystem::path const& path,
                                     std::filesystem::path const& directory, std::istream& input);

  /// The request of the files for `apply_team`, with the types that it needs.
  boost::json::object request() const;
  std::vector<RoleDocument> const& documents() const { return documents_; }
  /// The refusal with the place of its field put before it.
  core::Error placed(core::Error error) const;

 private:
  struct Source {
    std::string name;  ///< as it is shown
    reflect::YamlNode root;
  };
  /// One board or worker, and the file it stands in.
  struct Item {
    std::size_t source;
    reflect::YamlNode const* node;
  };
  struct Section {
    std::string name;
    reflect::Type const* type;
    bool is_there = false;
    std::vector<Item> items;
  };

  core::Result<void> add(std::string name, std::string_view text);
  core::Result<void> take_sections();
  core::Result<void> take_documents(std::filesystem::path const& folder);
  std::string at(std::size_t source, reflect::YamlPlace place) const;

  std::vector<Source> sources_;
  std::vector<Section> sections_;
  std::vector<RoleDocument> documents_;
};

}  // namespace andon::cli
