#include "runner/setup/run_redactors.hpp"

#include <algorithm>
#include <charconv>

#include "os/files/file.hpp"
#include "os/processes/process.hpp"
#include "os/system_error.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/runs/run_spec.hpp"
#include "runner/setup/copied_files.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kMostRedactors = 128;
constexpr std::size_t kMostKnownRuns = 10'000;  ///< by their tokens, before all specs are read again
constexpr std::size_t kLongestToken = 4096;

std::string token_of(os::DataDirectory const& data) {
  auto token = os::read_file_if_there(data.token, kLongestToken).value_or("");
  token.erase(token.find_last_not_of("\r\n ") + 1);
  return token;
}

/// The run whose directory has that name; 0 for none.
core::RunId run_named(std::string_view name) {
  std::int64_t out = 0;
  auto const parsed = std::from_chars(name.data(), name.data() + name.size(), out);
  return core::RunId{parsed.ptr == name.data() + name.size() ? out : 0};
}

}  // namespace

RunRedactors::RunRedactors(os::DataDirectory data)
    : data_(std::move(data)), environment_(os::own_environment()), token_(token_of(data_)) {}

std::string RunRedactors::operator()(core::RunId run, std::string_view text) {
  std::scoped_lock const lock{mutex_};
  auto const found = std::ranges::find(latest_, run, &OfRun::run);
  if (found != latest_.end())
    latest_.splice(latest_.begin(), latest_, found);
  else
    latest_.push_front({run, redactor_of(run)});
  if (latest_.size() > kMostRedactors) latest_.pop_back();
  return latest_.front().redactor(text);
}

// A spec is there before the agent of its run starts. That of a run that is over has no token.
core::RunId RunRedactors::run_with(std::string const& token) {
  if (token.empty()) return core::RunId{0};
  std::scoped_lock const lock{mutex_};
  if (auto const known = runs_by_token_.find(token); known != runs_by_token_.end()) return known->second;
  if (looked_at_.size() > kMostKnownRuns) {
    looked_at_.clear();
    runs_by_token_.clear();
  }
  std::error_code gone;
  for (auto const& entry : std::filesystem::directory_iterator{data_.runs(), gone}) {
    auto const run = run_named(entry.path().filename().native());
    if (run == 0 || looked_at_.contains(run)) continue;
    try {
      auto const spec = read_spec(RunFiles{entry.path()});
      if (!spec) continue;
      looked_at_.insert(run);
      if (!spec->token.empty()) runs_by_token_[spec->token] = run;
    } catch (os::SystemError const&) {  // NOLINT(bugprone-empty-catch): its spec is not there yet
    }
  }
  auto const found = runs_by_token_.find(token);
  return found == runs_by_token_.end() ? core::RunId{0} : found->second;
}

Redactor RunRedactors::redactor_of(core::RunId run) const {
  auto environment = environment_;
  std::vector<std::string> secrets{token_};
  try {
    RunFiles const files{data_.runs() / std::to_string(run)};
    if (auto const spec = read_spec(files)) {
      environment.insert(environment.end(), spec->env.begin(), spec->env.end());
      secrets.push_back(spec->token);
      if (spec->setup)
        for (auto& value : secrets_in(spec->setup->repo, spec->setup->copy))
          secrets.push_back(std::move(value));
    }
  } catch (os::SystemError const&) {  // NOLINT(bugprone-empty-catch): the run has no files here
  }
  return Redactor::for_environment(environment, std::move(secrets));
}

}  // namespace andon::runner
