#include "runner/output/run_log.hpp"

#include <fcntl.h>

#include "os/files/file.hpp"
#include "os/processes/log.hpp"
#include "os/system_error.hpp"
#include "reflect/json.hpp"
#include "runner/output/log_parts.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/output/readable.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kLongestLogLine = 16U << 10U;
constexpr std::size_t kBuffer = 32U << 10U;

}  // namespace

RunLogWriter::RunLogWriter(std::filesystem::path run_dir, Redactor redactor, LogLimits limits, LogBegin begin)
    : dir_(std::move(run_dir)), redactor_(std::move(redactor)), limits_(limits) {
  auto const parts = log_parts(dir_);
  if (!parts.empty() && begin == LogBegin::last_part && ends_with_a_line(parts.back())) {
    begin_ = parts.back().begin;
    written_ = parts.back().size;
  } else if (!parts.empty()) {
    begin_ = parts.back().end();
  }
  open_part();
}

void RunLogWriter::write(core::Instant at, std::string_view stream, std::string_view text) {
  LogItem const item{at, std::string{stream}, shortened(redactor_(text), kLongestLogLine)};
  reflect::write_json(reflect::type_of<LogItem>(), &item, buffer_);
  buffer_ += '\n';
  if (buffer_.size() >= kBuffer) flush();
}

void RunLogWriter::flush() {
  if (buffer_.empty()) return;
  try {
    if (!file_) open_part();
    os::write_all(file_, buffer_, dir_.native());
    if (lost_ > 0)
      os::log(os::Level::warning, "lost " + std::to_string(lost_) + " bytes of the run's output");
    lost_ = 0;
    written_ += buffer_.size();
  } catch (os::SystemError const& error) {
    // The file may end in half a line now, so the next part begins in a new file.
    if (lost_ == 0) os::log(os::Level::error, error.what());
    lost_ += buffer_.size();
    is_whole_ = false;
    written_ += buffer_.size();
    file_.reset();
    begin_ += written_;
    written_ = 0;
  }
  buffer_.clear();
  if (written_ >= (begin_ == 0 ? limits_.first : limits_.part)) rotate();
}

void RunLogWriter::rotate() {
  begin_ += written_;
  written_ = 0;
  file_.reset();
  auto const parts = log_parts(dir_);
  for (std::size_t i = 1; i + limits_.parts <= parts.size(); ++i) {
    std::error_code ignored;
    std::filesystem::remove(parts[i].path, ignored);
  }
}

void RunLogWriter::open_part() {
  auto const path = log_part_path(dir_, begin_);
  file_.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file_) os::fail("create", path.native());
}

}  // namespace andon::runner
