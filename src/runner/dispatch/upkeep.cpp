#include "runner/dispatch/upkeep.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sys/stat.h>

#include "os/processes/log.hpp"
#include "runner/runs/run_files.hpp"
#include "service/history/retention.hpp"
#include "service/runs/run_report.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr core::Duration kBetweenSlices = std::chrono::milliseconds{200};
constexpr core::Duration kUpkeepEvery = std::chrono::hours{1};

std::optional<core::RunId> run_of(fs::path const& directory) {
  auto const name = directory.filename().native();
  std::int64_t run = 0;
  auto const parsed = std::from_chars(name.data(), name.data() + name.size(), run);
  bool const is_whole = parsed.ec == std::errc{} && parsed.ptr == name.data() + name.size();
  return is_whole ? std::optional{core::RunId{run}} : std::nullopt;
}

std::optional<core::Instant> changed(fs::path const& file) {
  struct stat about{};
  if (::stat(file.c_str(), &about) != 0) return std::nullopt;
  return core::Instant{std::chrono::seconds{about.st_mtim.tv_sec}};
}

/// The end of the run, from the file times of its directory.
std::optional<core::Instant> ended(fs::path const& directory) {
  auto const by_record = changed(RunFiles{directory}.end());
  return by_record ? by_record : changed(directory);
}

}  // namespace

core::RunId highest_run_directory(fs::path const& runs) {
  core::RunId out = 0;
  std::error_code gone;
  for (auto const& entry : fs::directory_iterator{runs, gone})
    out = std::max(out, run_of(entry.path()).value_or(0));
  return out;
}

core::Instant Upkeep::step(core::Instant now) {
  if (now < next_ && next_ - now <= kUpkeepEvery) return next_;
  if (trim()) return next_ = now + kBetweenSlices;
  remove_run_directories(now);
  return next_ = now + kUpkeepEvery;
}

bool Upkeep::trim() {
  auto const slice = client_.call<&service::trim_store>({});
  if (!slice) os::log(os::Level::warning, "what is over its time stays: " + slice.error().message);
  return slice && slice->more;
}

void Upkeep::remove_run_directories(core::Instant now) {
  auto const kept = client_.call<&service::show_retention>();
  auto const live = client_.call<&service::list_runs>({{}, true});
  if (!kept || !live) return;
  std::error_code gone;
  std::vector<fs::path> old;
  for (auto const& entry : fs::directory_iterator{runs_, gone}) {
    auto const run = run_of(entry.path());
    if (!run || std::ranges::find(live->items, *run, &core::Run::id) != live->items.end()) continue;
    if (auto const at = ended(entry.path()); at && *at < now - kept->run_files) old.push_back(entry.path());
  }
  for (auto const& directory : old) {
    fs::remove_all(directory, gone);
    if (gone) os::log(os::Level::warning, directory.native() + " stays: " + gone.message());
  }
}

}  // namespace andon::runner
