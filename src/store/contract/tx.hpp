#pragma once

namespace andon::store {

class Store;

namespace engine {
class Unit;
}

/// One unit of work: the view of the data in which it reads and writes. Its calls are in
/// `store/engine/unit/unit.hpp`.
using Tx = engine::Unit;

}  // namespace andon::store
