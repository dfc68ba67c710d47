#include "runner/setup/tree_record.hpp"

#include "os/data/file_lock.hpp"
#include "os/files/file.hpp"
#include "os/network/free_port.hpp"
#include "reflect/json.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestRecord = 64U << 10U;
/// Below the ports that the kernel gives to outgoing connections by default (ip_local_port_range).
constexpr int kFirstPort = 20'000;
constexpr int kEndPort = 32'000;

/// `RECORDS/BOARD/TREE.json` for the tree `…/BOARD/TREE`.
fs::path record_of(fs::path const& records, fs::path const& tree) {
  return records / tree.parent_path().filename() / (tree.filename().native() + ".json");
}

TreeRecord read_record_file(fs::path const& file) {
  auto const text = os::read_file_if_there(file, kLargestRecord);
  if (!text) return {};
  auto const json = reflect::parse_json(*text);
  if (!json) return {};
  return reflect::from_json<TreeRecord>(*json, reflect::Unknown::ignore).value_or(TreeRecord{});
}

/// The ports of the other trees that still exist.
std::vector<PortRange> ports_of_others(fs::path const& records, fs::path const& tree) {
  std::vector<PortRange> out;
  std::error_code trouble;
  auto const own = record_of(records, tree);
  fs::recursive_directory_iterator entry{records, trouble};
  for (fs::recursive_directory_iterator const end; !trouble && entry != end; entry.increment(trouble)) {
    if (entry->path().extension() != ".json" || entry->path() == own) continue;
    auto const record = read_record_file(entry->path());
    std::error_code gone;
    if (record.ports.count > 0 && fs::exists(record.directory, gone)) out.push_back(record.ports);
  }
  return out;
}

bool overlap(PortRange const& a, PortRange const& b) {
  return a.first < b.first + b.count && b.first < a.first + a.count;
}

/// The first port at which the range may begin again after something in it is taken.
int first_after(PortRange const& range, std::vector<PortRange> const& others) {
  for (auto const& other : others)
    if (overlap(range, other)) return other.first + other.count;
  for (int port = range.first + range.count - 1; port >= range.first; --port)
    if (!os::is_port_free(port)) return port + 1;
  return range.first;
}

}  // namespace

TreeRecord read_tree_record(fs::path const& records, fs::path const& tree) {
  auto out = read_record_file(record_of(records, tree));
  return out.directory == tree ? out : TreeRecord{tree, {}, {}};
}

void write_tree_record(fs::path const& records, TreeRecord const& record) {
  auto const file = record_of(records, record.directory);
  os::make_private_directory(file.parent_path());
  os::write_file(file, reflect::to_json(record) + "\n");
}

void remove_tree_record(fs::path const& records, fs::path const& tree) {
  std::error_code ignored;
  fs::remove(record_of(records, tree), ignored);
}

core::Result<PortRange> take_ports(fs::path const& records, fs::path const& tree, int count) {
  auto record = read_tree_record(records, tree);
  if (count == 0) return PortRange{};
  os::make_private_directory(records);
  auto const turn = os::FileLock::take(records / "lock");
  auto const others = ports_of_others(records, tree);
  if (record.ports.count == count && first_after(record.ports, others) == record.ports.first)
    return record.ports;
  for (PortRange range{kFirstPort, count}; range.first + count <= kEndPort;) {
    auto const next = first_after(range, others);
    if (next == range.first) {
      record.ports = range;
      write_tree_record(records, record);
      return range;
    }
    range.first = next;
  }
  return core::refuse(core::Code::kConflict,
                      "no " + std::to_string(count) + " ports are free between " +
                          std::to_string(kFirstPort) + " and " + std::to_string(kEndPort - 1) +
                          " for the work tree; remove trees with \"andon work clean\", or lower the "
                          "board's \"ports\"",
                      "ports");
}

std::vector<std::string> port_variables(PortRange const& ports) {
  std::vector<std::string> out;
  for (int i = 0; i < ports.count; ++i)
    out.push_back("ANDON_PORT_" + std::to_string(i) + "=" + std::to_string(ports.first + i));
  return out;
}

}  // namespace andon::runner
