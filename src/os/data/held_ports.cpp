#include "os/data/held_ports.hpp"

#include <sstream>

#include "os/files/file.hpp"

namespace andon::os {
namespace {

constexpr std::size_t kLongestPorts = 4096;
constexpr std::size_t kMostPorts = 64;
constexpr int kHighest = 65'535;

std::filesystem::path file_in(std::filesystem::path const& root) { return root / "ports"; }

}  // namespace

void keep_held_ports(std::filesystem::path const& root, std::vector<std::uint16_t> const& ports) {
  std::string text;
  for (auto const port : ports) text += std::to_string(port) + "\n";
  write_file(file_in(root), text);
}

std::vector<int> held_ports(std::filesystem::path const& root) {
  std::istringstream text{read_file_if_there(file_in(root), kLongestPorts).value_or("")};
  std::vector<int> out;
  for (int port = 0; out.size() < kMostPorts && text >> port;)
    if (port > 0 && port <= kHighest) out.push_back(port);
  return out;
}

}  // namespace andon::os
