#include <cstdlib>

#include "reflect/json.hpp"
#include "service/tasks/edit.hpp"

/// A request that is taken survives its own round trip.
extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
  using andon::service::EditTaskRequest;
  auto const request =
      andon::reflect::read_json<EditTaskRequest>({reinterpret_cast<char const*>(data), size});
  if (!request) return 0;
  auto const text = andon::reflect::to_json(*request);
  auto const again = andon::reflect::read_json<EditTaskRequest>(text);
  if (again && andon::reflect::to_json(*again) != text) std::abort();
  return 0;
}
