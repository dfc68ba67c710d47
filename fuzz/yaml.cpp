#include "reflect/yaml.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <boost/json/serialize.hpp>

#include "yaml_mutation.hpp"

using namespace andon;

namespace {

/// The bytes of values stand in the order of the text, each within those around it.
void check_bytes(std::string_view text, reflect::YamlNode const& node, std::size_t begin, std::size_t end) {
  if (node.begin < begin || node.end < node.begin || node.end > end) std::abort();
  auto at = node.begin;
  for (auto const& item : node.items) {
    check_bytes(text, item, at, node.end);
    at = item.end;
  }
  for (auto const& entry : node.entries) {
    if (entry.begin < at || entry.colon < entry.begin || entry.colon > node.end) std::abort();
    check_bytes(text, entry.value, entry.colon, node.end);
    at = entry.value.end;
  }
}

}  // namespace

// What is read is written so that it is read again as the same.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text{reinterpret_cast<char const*>(data), size};
  auto const& any = reflect::type_of<boost::json::value>();
  auto const read = reflect::parse_yaml(text, "input");
  if (!read) return 0;
  check_bytes(text, *read, 0, size);
  auto const value = reflect::json_of(*read, any);
  auto const again = reflect::parse_yaml(reflect::to_yaml(value), "output");
  if (!again || boost::json::serialize(reflect::json_of(*again, any)) != boost::json::serialize(value))
    std::abort();
  return 0;
}
