#pragma once

#include <set>
#include <string>
#include <utility>

#include "api/call.hpp"
#include "api/operation.hpp"
#include "core/error.hpp"

namespace andon::test {

/// An operation whose first call gets no answer: it did not arrive, or it was carried out and the answer is
/// lost.
struct Absence {
  std::string operation{};
  bool is_carried_out = false;
};

/// A board that has that absence.
class AbsentBoard final : public api::Executor {
 public:
  AbsentBoard(api::Executor& board, Absence absence) : board_(board), absence_(std::move(absence)) {}
  core::Result<api::Answer> run(api::Call call) override {
    std::string const name{call.operation->name};
    bool const is_away = called.insert(name).second && name == absence_.operation;
    if (is_away && !absence_.is_carried_out)
      return core::refuse(core::Code::kBusy, "the server answered with status 502");
    auto answer = board_.run(std::move(call));
    if (is_away) return core::refuse(core::Code::kBusy, "the server gave no answer");
    return answer;
  }

  std::set<std::string> called;  ///< the names of operations

 private:
  api::Executor& board_;
  Absence const absence_;
};

}  // namespace andon::test
