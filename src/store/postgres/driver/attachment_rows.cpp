#include "store/postgres/driver/attachment_rows.hpp"

#include <span>

namespace andon::store::postgres {
namespace {

Statement const kPutContent{
    "keep an attachment",
    "INSERT INTO attachment (task, id, name, content, at) "
    "VALUES ($1, $2, $3, $4, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)"};
Statement const kGetContent{"read an attachment",
                            "SELECT content FROM attachment WHERE task = $1 AND id = $2 AND name = $3 "
                            "AND octet_length(content) <= $4"};
Statement const kRemoveContent{"remove an attachment",
                               "DELETE FROM attachment WHERE task = $1 AND id = $2 AND name = $3"};
/// The rows of the first tasks, and then the first task behind them.
Statement const kOldContents{
    "list attachments",
    "WITH chosen AS (SELECT DISTINCT task FROM attachment WHERE task >= $1 ORDER BY task LIMIT $2 + 1), "
    "behind AS (SELECT CASE WHEN count(*) > $2 THEN max(task) ELSE 0 END AS task FROM chosen) "
    "SELECT 0, attachment.task, id, name FROM attachment JOIN chosen ON chosen.task = attachment.task "
    "WHERE at < $3 AND attachment.task <> (SELECT task FROM behind) "
    "UNION ALL SELECT 1, task, '', '' FROM behind ORDER BY 1, 2, 3"};

}  // namespace

void AttachmentRows::put(AttachmentPlace const& place, std::string_view content) {
  Connection db{settings_, Access::write};
  db.query(kPutContent, Parameters::of(std::int64_t{place.task}, place.id, place.name,
                                       std::as_bytes(std::span{content.data(), content.size()})));
}

std::optional<std::string> AttachmentRows::get(AttachmentPlace const& place, std::size_t most) {
  Connection db{settings_, Access::read};
  auto const rows = db.query(kGetContent, Parameters::of(std::int64_t{place.task}, place.id, place.name,
                                                         static_cast<std::int64_t>(most)));
  if (rows.empty()) return std::nullopt;
  auto const bytes = rows[0].bytes(0);
  return std::string{reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

void AttachmentRows::remove(AttachmentPlace const& place) {
  Connection db{settings_, Access::write};
  db.query(kRemoveContent, Parameters::of(std::int64_t{place.task}, place.id, place.name));
}

AttachmentFiles::OldPlaces AttachmentRows::old_places(core::TaskId from, core::Instant before,
                                                      std::size_t most) {
  Connection db{settings_, Access::read};
  auto const rows =
      db.query(kOldContents, Parameters::of(std::int64_t{from}, static_cast<std::int64_t>(most), before));
  OldPlaces out;
  for (auto const row : rows)
    if (row.integer(0) == 1)
      out.next = core::TaskId{row.integer(1)};
    else
      out.places.push_back({{}, core::TaskId{row.integer(1)}, row.text(2), row.text(3)});
  return out;
}

}  // namespace andon::store::postgres
