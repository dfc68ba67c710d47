#include "store/engine/writer/driver_store.hpp"

#include <utility>

#include "store/contract/store_error.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {
namespace {

/// How often a search is tried on a full disk while the full-text index is behind.
constexpr int kSearchAttempts = 3;

}  // namespace

DriverStore::DriverStore(std::shared_ptr<Driver> driver, std::unique_ptr<ExternalSource> source,
                         OnFatal on_fatal, ReadingSessions reading)
    : driver_(std::move(driver)),
      source_(std::move(source)),
      writer_(std::make_unique<Writer>(driver_, std::move(on_fatal), times_, source_.get())) {
  if (reading == ReadingSessions::many) readers_ = std::make_unique<Readers>(driver_, source_.get());
  if (source_) source_->begin([this] { look(); });
}

DriverStore::~DriverStore() { close(); }

void DriverStore::submit(Work work, Done done, Milliseconds patience, UnitKind kind) {
  writer_->submit(std::move(work), std::move(done), patience, kind, Rights::write);
}

void DriverStore::read(std::function<void(Tx&)> const& work) {
  if (!readers_) return writer_->read(work);
  try {
    readers_->run(work, [this] { update_search_index(*this); });
    writer_->await_disk();
  } catch (StoreError const& error) {
    if (error.kind() != StoreError::Kind::no_space) throw;
    read_on_full_disk(work);
  }
}

/// The disk is full, so the full-text index cannot be written. The missing texts are indexed for this unit
/// alone. When the commit of the batch fails because of other units, this unit fails too and is tried again.
void DriverStore::read_on_full_disk(std::function<void(Tx&)> const& work) {
  for (int attempt = 1;; ++attempt) try {
      return writer_->read([&](Tx& tx) {
        tx.update_search_for_now();
        work(tx);
      });
    } catch (StoreError const& error) {
      if (error.kind() != StoreError::Kind::no_space || attempt == kSearchAttempts) throw;
    }
}

void DriverStore::look_first() {
  try {
    writer_->read([](Tx&) {});
  } catch (StoreError const&) {
    return;
  }
}

void DriverStore::look() {
  writer_->submit([](Tx&) { return Outcome::rollback; }, [](std::exception_ptr const&) {}, {},
                  {.name = "look"}, Rights::read);
}

void DriverStore::on_commit(std::function<void(core::EventSeq)> listener) {
  writer_->on_commit(std::move(listener));
}

std::string DriverStore::incarnation() {
  std::string out;
  read([&](Tx& tx) { out = tx.incarnation(); });
  return out;
}

void DriverStore::close() {
  if (source_) source_->end();
  if (readers_) readers_->close();
  writer_->close();
}

}  // namespace andon::store::engine
