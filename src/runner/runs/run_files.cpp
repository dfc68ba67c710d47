#include "runner/runs/run_files.hpp"

#include <sys/stat.h>

#include "os/digest.hpp"
#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kLargestFile = 8U << 20U;
constexpr std::size_t kLargestSeal = 200;

template <class T>
core::Result<T> read_struct(std::filesystem::path const& path) {
  ANDON_TRY(auto const json,
            reflect::parse_json(os::read_file(path, kLargestFile), {.depth = 64, .nodes = 100'000}));
  return reflect::from_json<T>(json, reflect::Unknown::ignore);
}

std::string seal_of(std::string_view text, std::string_view key) {
  return os::hex(os::hmac_sha256(key, text));
}

}  // namespace

// Does not wait for the disk. No process survives a power cut, so a lost spec does no harm: the run ends as
// lost without it.
void write_spec(RunFiles const& files, RunSpec const& spec) {
  os::write_passing_file(files.spec(), reflect::to_json(spec) + "\n", 0600);
}

void forget_spec(RunFiles const& files) {
  std::error_code gone;
  if (std::filesystem::exists(files.spec(), gone)) os::write_passing_file(files.spec(), "{}\n", 0600);
}

core::Result<RunSpec> read_spec(RunFiles const& files) { return read_struct<RunSpec>(files.spec()); }

std::string identity_of_input(RunFiles const& files) {
  struct stat about{};
  if (::lstat(files.input().c_str(), &about) != 0) return {};
  return std::to_string(about.st_dev) + ":" + std::to_string(about.st_ino);
}

// Writes the seal first, because a record without a seal is ignored.
void write_end(RunFiles const& files, EndRecord const& record, std::string_view key) {
  auto const text = reflect::to_json(record) + "\n";
  if (!key.empty()) os::write_file(files.seal(), seal_of(text, key), 0600);
  os::write_file(files.end(), text, 0600);
}

std::optional<EndRecord> read_end(RunFiles const& files) {
  if (!std::filesystem::exists(files.end())) return std::nullopt;
  auto record = read_struct<EndRecord>(files.end());
  return record ? std::optional{*std::move(record)} : std::nullopt;
}

std::optional<EndRecord> sealed_end(RunFiles const& files, core::RunId run, std::string_view key) try {
  if (key.empty()) return std::nullopt;
  auto const text = os::read_file_if_there(files.end(), kLargestFile);
  auto const seal = os::read_file_if_there(files.seal(), kLargestSeal);
  if (!text || !seal || !os::same_secret(*seal, seal_of(*text, key))) return std::nullopt;
  auto const json = reflect::parse_json(*text, {.depth = 64, .nodes = 100'000});
  auto record =
      json ? reflect::from_json<EndRecord>(*json, reflect::Unknown::ignore) : core::refuse(json.error());
  return record && record->run == run ? std::optional{*std::move(record)} : std::nullopt;
} catch (os::SystemError const&) {
  return std::nullopt;  // the agent put something else there
}

}  // namespace andon::runner
