#include <fstream>

#include "store/sqlite/database/connection.hpp"
#include "store/transfer/databases.hpp"
#include "support/address_sanitizer.hpp"

using namespace andon;
using namespace andon::test;

namespace {

/// The most memory that the process has held so far, in kB.
long peak() {
  std::ifstream status{"/proc/self/status"};
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      long out = 0;
      status >> out;
      return out;
    }
  return 0;
}

}  // namespace

TEST_CASE("CopyStore.HoldsAPartOfTheRowsInMemory" * without_postgres()) {
  Scratch const scratch;
  auto const file = (scratch / "large.db").native();
  open_any("sqlite:" + file);
  {
    store::sqlite::Connection db{file, store::sqlite::Mode::owner};
    db.execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
        "INSERT INTO event (seq, ts, actor, kind, board, data) "
        "SELECT i, i, 'user:ann', 'task.edited', 'shop', hex(zeroblob(400)) FROM n");
  }
  auto const to = url_of_new_schema();
  auto const before = peak();
  auto const there = copied("sqlite:" + file, to, at_minute(0));
  auto const back = copied(to, "sqlite:" + (scratch / "back.db").native(), at_minute(0));
  CHECK(there.rows >= 100'000);
  CHECK(back.digest == there.digest);
  if (!kHasAddressSanitizer) CHECK(peak() - before < 40'000);  // of 80 MB of texts
}
