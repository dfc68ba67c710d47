// `is_data_there` is asked before each batch and, while the writer waits, whenever `next_look` has come. A
// database that was removed while it was open takes no commits any more. Its last writes are rescued, units
// are refused with the reason for the time of a grace, and then the process ends.
//
// `tidy` is called after each batch. `close_shared` comes last.

#include "store/engine/writer/upkeep.hpp"

#include <utility>

#include "store/contract/store_error.hpp"
#include "store/contract/writer_times.hpp"
#include "store/engine/meter.hpp"

namespace andon::store::engine {
namespace {

/// How long a deleted database may stay unnoticed while nothing is written.
constexpr auto kBetweenLooks = std::chrono::milliseconds{250};
/// How long writes are refused with the reason before the process ends.
constexpr auto kGrace = std::chrono::milliseconds{500};
/// The time for which tidying may hold the writer.
constexpr auto kTidyBound = UnitKind{}.bound;

}  // namespace

bool Upkeep::is_data_there() {
  auto const trouble = driver_.state().trouble;
  if (!trouble || std::exchange(is_data_gone_, true)) return !trouble;
  driver_.tidy(Occasion::data_gone);
  ending_.stop(std::make_exception_ptr(StoreError{StoreError::Kind::gone, *trouble}),
               os::SteadyClock::now() + kGrace);
  return false;
}

std::optional<Moment> Upkeep::next_look(Moment now) const {
  if (is_data_gone_ || !driver_.state().is_watched) return std::nullopt;
  return now + kBetweenLooks;
}

void Upkeep::tidy(Occasion occasion) {
  if (ending_.is_stopped()) return;
  Meter const meter{transaction_.session(), os::SteadyClock::now()};
  auto const tidied = driver_.tidy(occasion);
  if (tidied.trouble) {
    ending_.stop(tidied.trouble);
    return ending_.end_process(tidied.trouble);
  }
  if (tidied.has_worked)
    times_.note(WriterAct::checkpoint, "checkpoint", meter.cost(os::SteadyClock::now()), kTidyBound);
}

/// On a board of files every command is a process. Each of them would create a log, copy it back and remove
/// it, and so wait for the disk three times more. Therefore a little is left to the next process. More is
/// tidied up under the source's lock, while no other process writes.
void Upkeep::close_shared(ExternalSource& source) {
  bool const tidies = !ending_.is_stopped() && driver_.state().has_much_to_tidy;
  if (tidies) try {
      source.enter();
      transaction_.close();
      return source.leave();
    } catch (StoreError const&) {  // NOLINT(bugprone-empty-catch)
      // another process holds the lock; the next command tidies up
    }
  driver_.tidy(Occasion::left_as_is);
}

}  // namespace andon::store::engine
