#pragma once

#include <memory>
#include <string>

#include "core/time/time.hpp"
#include "store/contract/store.hpp"
#include "store/engine/external_source.hpp"
#include "store/engine/writer/ending.hpp"

namespace andon::store::sqlite {

/// Opens a store in one SQLite file, which this process owns while the store lives, or in memory when the
/// path is empty. The source serves the boards that keep their tasks in files.
std::unique_ptr<Store> open_sqlite(std::string const& path, engine::OnFatal on_fatal,
                                   std::unique_ptr<engine::ExternalSource> source, core::Instant now = {});

}  // namespace andon::store::sqlite
