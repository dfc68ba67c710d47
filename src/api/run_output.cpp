#include "api/run_output.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace andon::api {
namespace {

constexpr std::array kOfAgents{stream::kText, stream::kTool, stream::kNotice,
                               stream::kOut,  stream::kErr,  stream::kRaw};

}  // namespace

core::Result<void> check_streams(std::vector<OutputItem> const& items, bool may_speak_for_andon) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::string_view const named = items[i].stream;
    auto const field = "items/" + std::to_string(i) + "/stream";
    if (std::ranges::find(kOfAgents, named) != kOfAgents.end()) continue;
    if (named != stream::kAndon)
      return core::refuse(
          core::Code::kInvalidInput,
          "there is no stream \"" + items[i].stream + "\"; name text, tool, notice, stdout, stderr or raw",
          field);
    if (!may_speak_for_andon)
      return core::refuse(core::Code::kForbidden,
                          "lines of the stream \"andon\" are Andon's own; name another one, such as stdout",
                          field);
  }
  return {};
}

}  // namespace andon::api
