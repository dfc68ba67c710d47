#include "reflect/json.hpp"

#include <cstdlib>

/// What is taken as JSON is written back as JSON that means the same.
extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
  auto const value = andon::reflect::parse_json({reinterpret_cast<char const*>(data), size});
  if (!value) return 0;
  auto const text = andon::reflect::to_json(*value);
  if (!andon::reflect::parse_json(text)) std::abort();
  return 0;
}
