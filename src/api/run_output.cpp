#include "api/run_output.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace andon::api {
namespace {

constexpr std::array kStreams{stream::kText, stream::kTool, stream::kNotice, stream::kOut,
                              stream::kErr,  stream::kRaw,  stream::kAndon};

}  // namespace

core::Result<void> check_streams(std::vector<OutputItem> const& items) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (std::ranges::find(kStreams, std::string_view{items[i].stream}) == kStreams.end())
      return core::refuse(
          core::Code::kInvalidInput,
          "there is no stream \"" + items[i].stream + "\"; name text, tool, notice, stdout, stderr or raw",
          "items/" + std::to_string(i) + "/stream");
  return {};
}

}  // namespace andon::api
