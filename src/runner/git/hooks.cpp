#include "runner/git/hooks.hpp"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

#include "runner/output/plain_text.hpp"

namespace andon::runner {

std::vector<std::string> hook_names(core::WorkPlace const& place) {
  namespace fs = std::filesystem;
  std::vector<std::string> out;
  std::error_code none;
  fs::directory_iterator at{fs::path{place.common_directory} / "hooks", none};
  for (; !none && at != fs::directory_iterator{}; at.increment(none))
    if (at->path().extension() != ".sample" && ::access(at->path().c_str(), X_OK) == 0)
      out.push_back(as_utf8(at->path().filename().native()));
  std::ranges::sort(out);
  return out;
}

}  // namespace andon::runner
