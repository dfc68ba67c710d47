#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "store/contract/store_error.hpp"
#include "store/markdown/yaml/board_settings.hpp"
#include "text_parts.hpp"
#include "yaml_mutation.hpp"

using namespace andon;
using namespace andon::store::markdown;
using fuzz::take_text;

namespace {

/// A description is one of those values that a file holds without a change of their blanks.
bool is_kept(std::string_view text) { return text.find_first_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

// A config.yml, and after NUL bytes what is to become of its board: what is written tells that board, and the
// file stays one that can be read.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view rest{reinterpret_cast<char const*>(data), size};
  auto file = SettingsFile::parse(take_text(rest), "config.yml");
  if (!file || !check_settings(*file)) return 0;
  auto const was = board_in(*file);
  auto is = was;
  auto const description = take_text(rest);
  if (is_kept(description)) is.description = description;
  if (auto const name = take_text(rest); !name.empty() && is_kept(name)) is.columns.front().name = name;
  if (size % 3 == 0 && is.columns.size() > 3) is.columns.erase(is.columns.begin() + 1);
  if (size % 2 == 0) is.claim_timeout = std::chrono::minutes{5};
  try {
    write_board(*file, was, is);
  } catch (store::StoreError const&) {
    return 0;
  }
  auto const again = SettingsFile::parse(file->text(), "config.yml");
  if (!again) std::abort();
  auto const read = board_in(*again);
  if (read.description != is.description || read.claim_timeout != is.claim_timeout ||
      !std::ranges::equal(read.columns, is.columns, {}, &core::Column::name, &core::Column::name))
    std::abort();
  return 0;
}
