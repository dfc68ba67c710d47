#include "reflect/yaml.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <boost/json/serialize.hpp>

using namespace andon;

// What is read is written so that it is read again as the same.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const& any = reflect::type_of<boost::json::value>();
  auto const read = reflect::parse_yaml({reinterpret_cast<char const*>(data), size}, "input");
  if (!read) return 0;
  auto const value = reflect::json_of(*read, any);
  auto const again = reflect::parse_yaml(reflect::to_yaml(value), "output");
  if (!again || boost::json::serialize(reflect::json_of(*again, any)) != boost::json::serialize(value))
    std::abort();
  return 0;
}
