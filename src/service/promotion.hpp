#pragma once

#include "service/change.hpp"

namespace andon::service {

/// An approved task that waited in the backlog stage for its dependencies or its brief goes to ready when
/// both are there and the column has room. Only boards with a strict workflow hold approved tasks back.
void promote_if_ready(Unit& u, Change& change);

/// Whether an approved task must still wait in the backlog stage.
bool must_wait(Unit& u, core::Board const& board, core::Task const& task);

}  // namespace andon::service
