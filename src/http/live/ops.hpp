#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "core/id.hpp"

namespace andon::service {
struct OperationContext;
}

namespace andon::http {

/// The state of each worker as last sent, by name.
using WorkerBook = std::map<std::string, boost::json::object>;

/// The operations of one board as a JSON list without its brackets.
using OpsByBoard = std::map<std::string, std::string>;

/// The changes after a position in the history.
struct Delta {
  core::EventSeq from = 0;
  core::EventSeq to = 0;
  bool too_many = false;
  OpsByBoard ops;
};
Delta delta_since(service::OperationContext& u, core::EventSeq since, std::vector<std::string> const& boards,
                  std::size_t most);

/// The changes of workers of those boards since the book, which is updated. A worker's light also changes
/// with time, without an event.
OpsByBoard worker_changes(service::OperationContext& u, std::vector<std::string> const& boards,
                          WorkerBook& book);
/// All workers in full, for a new reader.
OpsByBoard all_workers(service::OperationContext& u, std::vector<std::string> const& boards);

std::string line_op(core::TaskId task, std::string_view text);
void append_op(std::string& ops, std::string_view op);

}  // namespace andon::http
