#include "store/markdown/yaml/settings_reading.hpp"

#include "store/contract/store_error.hpp"
#include "store/markdown/files/stable_read.hpp"
#include "store/markdown/yaml/board_settings.hpp"
#include "store/markdown/yaml/settings_migration.hpp"

namespace andon::store::markdown {

std::optional<ReadSettings> read_settings(BoardFolder const& folder) {
  auto content = folder.root().read(kSettingsName, kLongestSettings);
  if (!content) return std::nullopt;
  auto const refuse = [](core::Error const& error) -> StoreError {
    auto text = error.message;
    return {StoreError::Kind::unusable,
            text.starts_with("invalid config") ? text : "invalid config: " + text};
  };
  auto const parsing = folder.begin_parsing(kSettingsName, content->text, kSettingsName);
  if (!parsing) throw refuse(parsing.error());
  auto file = SettingsFile::parse(content->text, kSettingsName);
  if (!file) throw refuse(file.error());
  auto const migrated = migrate(*file);
  if (!migrated) throw refuse(migrated.error());
  if (auto const checked = check_settings(*file); !checked) throw refuse(checked.error());
  return ReadSettings{*std::move(file), *std::move(content), *migrated};
}

std::optional<ReadSettings> read_still_settings(BoardFolder const& folder, os::Clock const& clock,
                                                bool are_expected) {
  StableRead stable_read(folder, clock);
  for (;;) {
    stable_read.begin();
    auto const look = folder.root().look(kSettingsName);
    auto const changed = look ? look->stamp.modified : folder.root().look().stamp.modified;
    auto const may_change = [&] { return !stable_read.is_reached(changed) && stable_read.wait(); };
    try {
      auto read = read_settings(folder);
      if (read || !are_expected || !may_change()) return read;
    } catch (StoreError const&) {
      if (!may_change()) throw;
    }
  }
}

}  // namespace andon::store::markdown
