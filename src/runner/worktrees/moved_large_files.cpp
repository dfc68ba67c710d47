#include "runner/worktrees/moved_large_files.hpp"

namespace andon::runner {

std::set<std::string> bring_large_files(LargeFileWay const& way, std::set<CommittedFile> const& files,
                                        PathFilters const& filters) {
  std::vector<std::string> paths;
  std::vector<std::string> objects;
  for (auto const& file : files)
    if (auto const found = filters.find(file.path);
        file.is_regular && found != filters.end() && found->second == kLargeFileFilter) {
      paths.push_back(file.path);
      objects.push_back(file.object);
    }
  std::set<std::string> out;
  if (objects.empty()) return out;
  auto const pointers = pointers_among(way.clone, way.scratch, objects);
  auto room = way.most;
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (pointers[i] && !bring_large_file(*pointers[i], way.from, way.to, room)) out.insert(paths[i]);
  return out;
}

void bring_large_files_of(LargeFileWay const& way, std::string const& commit) {
  auto const files = files_in_commit(way.clone, commit);
  std::vector<std::string> paths;
  for (auto const& file : files) paths.push_back(file.path);
  bring_large_files(way, files, filters_in_commit(way.clone, way.scratch, commit, paths));
}

}  // namespace andon::runner
