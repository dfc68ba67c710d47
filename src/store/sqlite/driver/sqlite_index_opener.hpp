#pragma once

#include "store/engine/index_opener.hpp"

namespace andon::store::sqlite {

/// Opens indexes in SQLite files.
class SqliteIndexOpener final : public engine::IndexOpener {
 public:
  std::shared_ptr<engine::Driver> open(std::filesystem::path const& file, core::Instant now) const override;
  std::shared_ptr<engine::Driver> open_to_read(std::filesystem::path const& file) const override;
  std::shared_ptr<engine::Driver> in_memory() const override;
  std::unique_ptr<engine::Session> examine(std::filesystem::path const& file) const override;
  std::span<std::string_view const> endings() const override;
};

}  // namespace andon::store::sqlite
