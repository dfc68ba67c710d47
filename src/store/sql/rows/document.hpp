#pragma once

#include <string>
#include <string_view>

#include "core/model/automation.hpp"
#include "core/model/board.hpp"
#include "core/model/run.hpp"
#include "core/model/work_place.hpp"
#include "core/model/worker.hpp"

namespace andon::store::sql {

/// Objects that the database stores as one JSON text. Reading skips unknown members, so that an older binary
/// can read the texts of a newer one with the same schema. A text that does not fit the type is thrown as
/// StoreError{damaged}.
std::string document_of(core::Board const& board);
std::string document_of(core::Worker const& worker);
std::string document_of(core::Run const& run);
std::string document_of(core::RunGuard const& guard);
std::string document_of(core::Automation const& automation);
core::Board board_in(std::string_view document);
core::Worker worker_in(std::string_view document);
core::Run run_in(std::string_view document);
core::RunGuard guard_in(std::string_view document);
core::Automation automation_in(std::string_view document);

}  // namespace andon::store::sql
