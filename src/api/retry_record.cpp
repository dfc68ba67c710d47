#include "api/retry_record.hpp"

#include "api/operation.hpp"
#include "os/digest.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::api {

core::Result<RetryRecord> RetryRecord::open(Call const& call, store::Tx& tx) {
  RetryRecord record;
  auto const& operation = *call.operation;
  if (call.idempotency_key.empty() || operation.effect == Effect::read || operation.finish) return record;
  record.key = core::to_text(call.caller.actor) + " " + call.idempotency_key;
  std::string text{call.operation->name};
  reflect::write_json(*call.operation->request, call.request.get(), text);
  record.fingerprint = os::hex(os::sha256(text));
  auto earlier = tx.remembered(record.key);
  if (!earlier) return record;
  if (earlier->fingerprint != record.fingerprint)
    return core::refuse(core::Code::kInvalidInput, "this idempotency key was used for another request",
                        "Idempotency-Key");
  record.answer = std::move(earlier->answer);
  return record;
}

void RetryRecord::keep(store::Tx& tx, std::string const& json, core::Instant now) const {
  tx.remember(key, {fingerprint, json, now});
}

}  // namespace andon::api
