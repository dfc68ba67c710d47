#include "runner/run_files.hpp"

#include "os/file.hpp"
#include "reflect/json.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kLargestFile = 8U << 20U;

struct ProcessFile {
  std::string process;
};
BOOST_DESCRIBE_STRUCT(ProcessFile, (), (process))

struct CgroupFile {
  std::string directory;
};
BOOST_DESCRIBE_STRUCT(CgroupFile, (), (directory))

template <class T>
core::Result<T> read_struct(std::filesystem::path const& path) {
  ANDON_TRY(auto const json,
            reflect::parse_json(os::read_file(path, kLargestFile), {.depth = 64, .nodes = 100'000}));
  return reflect::from_json<T>(json, reflect::Unknown::ignore);
}

}  // namespace

// No process outlives a power cut, so nobody needs a spec that was lost by one: the run ends as lost without
// it.
void write_spec(RunFiles const& files, RunSpec const& spec) {
  os::write_passing_file(files.spec(), reflect::to_json(spec) + "\n", 0600);
}

core::Result<RunSpec> read_spec(RunFiles const& files) { return read_struct<RunSpec>(files.spec()); }

void write_process(std::filesystem::path const& file, os::ProcessId const& process) {
  os::write_passing_file(file, reflect::to_json(ProcessFile{os::to_text(process)}) + "\n", 0600);
}

std::optional<os::ProcessId> read_process(std::filesystem::path const& file) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  auto const content = read_struct<ProcessFile>(file);
  return content ? os::parse_process(content->process) : std::nullopt;
}

void write_cgroup(RunFiles const& files, std::filesystem::path const& directory) {
  os::write_passing_file(files.cgroup(), reflect::to_json(CgroupFile{directory.native()}) + "\n", 0600);
}

std::optional<std::filesystem::path> read_cgroup(RunFiles const& files) {
  if (!std::filesystem::exists(files.cgroup())) return std::nullopt;
  auto const content = read_struct<CgroupFile>(files.cgroup());
  return content ? std::optional<std::filesystem::path>{content->directory} : std::nullopt;
}

void write_end(RunFiles const& files, EndRecord const& record) {
  os::write_file(files.end(), reflect::to_json(record) + "\n", 0600);
}

std::optional<EndRecord> read_end(RunFiles const& files) {
  if (!std::filesystem::exists(files.end())) return std::nullopt;
  auto record = read_struct<EndRecord>(files.end());
  return record ? std::optional{*std::move(record)} : std::nullopt;
}

}  // namespace andon::runner
