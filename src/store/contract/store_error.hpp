#pragma once

#include <exception>
#include <string>
#include <utility>

namespace andon::store {

/// A failure outside the rules of the domain, such as one of the disk. `kind` shows whether the same call may
/// succeed later.
class StoreError : public std::exception {
 public:
  enum class Kind {
    busy,
    no_space,
    read_only,
    damaged,
    gone,  ///< the file is not the one any more that was opened; the text says what to do
    newer_schema,
    unusable,     ///< the configuration of a board is invalid; the text is for its author
    refused,      ///< the request is impossible; the text is for the caller
    unreachable,  ///< the files of an attached board; all other boards still work
    overlong,     ///< a unit read for longer than its limit
    other
  };
  StoreError(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}
  Kind kind() const { return kind_; }
  char const* what() const noexcept override { return text_.c_str(); }

 private:
  Kind kind_;
  std::string text_;
};

}  // namespace andon::store
