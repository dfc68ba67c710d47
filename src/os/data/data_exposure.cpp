#include "os/data/data_exposure.hpp"

#include <algorithm>

namespace andon::os {
namespace {

namespace fs = std::filesystem;

class Exposures {
 public:
  void add(std::string_view about, std::optional<Exposure> found) {
    bool const is_new = found && std::ranges::none_of(all_, [&](DataExposure const& known) {
                          return known.exposure.path == found->path;
                        });
    if (is_new) all_.push_back({about, *std::move(found)});
  }
  std::vector<DataExposure> take() { return std::move(all_); }

 private:
  std::vector<DataExposure> all_;
};

}  // namespace

std::vector<DataExposure> exposures_of(DataDirectory const& data) {
  struct Part {
    std::string_view about;
    fs::path path;
    bool is_secret = false;
  };
  Exposures found;
  found.add("data directory", exposure_of_directory(data.root));
  found.add("data directory", exposure_of_way(data.root));
  for (auto const& [about, path, is_secret] :
       {Part{"agents", data.agents}, Part{"memory", data.root / "memory"}, Part{"work", data.work},
        Part{"runs", data.runs()}, Part{"logs", data.logs}, Part{"database", data.db},
        Part{"database", data.db.native() + "-wal"}, Part{"token", data.token, true},
        Part{"commands", data.commands}, Part{"chats", data.root / "telegram.json", true},
        Part{"settings", data.settings}}) {
    found.add(about, exposure_of(path));
    if (is_secret) found.add(about, disclosure_of(path));
  }
  return found.take();
}

}  // namespace andon::os
