#pragma once

#include "core/time/time.hpp"
#include "store/transfer/copy_tables.hpp"
#include "store/transfer/endpoint.hpp"

namespace andon::store::transfer {

/// Copies all data of a store, as they are at one moment, to a new one. The target is complete or absent.
/// Throws StoreError{refused} for a file that exists or a schema that holds data.
Copied copy_store(Endpoint const& from, Endpoint const& to, core::Instant now);

}  // namespace andon::store::transfer
