#include "store/sql/rows/document.hpp"

#include "store/sql/rows/json_text.hpp"

namespace andon::store::sql {

std::string document_of(core::Board const& board) { return reflect::to_json(board); }
std::string document_of(core::Worker const& worker) { return reflect::to_json(worker); }
std::string document_of(core::Run const& run) { return reflect::to_json(run); }
std::string document_of(core::RunGuard const& guard) { return reflect::to_json(guard); }

std::string document_of(core::Automation const& automation) { return reflect::to_json(automation); }

core::Board board_in(std::string_view document) { return read_kept<core::Board>(document); }

core::Worker worker_in(std::string_view document) {
  core::Worker empty;
  empty.boards.clear();  // reading a list appends to the list that is there
  return read_kept(document, std::move(empty));
}

core::Run run_in(std::string_view document) { return read_kept<core::Run>(document); }
core::RunGuard guard_in(std::string_view document) { return read_kept<core::RunGuard>(document); }
core::Automation automation_in(std::string_view document) { return read_kept<core::Automation>(document); }

}  // namespace andon::store::sql
