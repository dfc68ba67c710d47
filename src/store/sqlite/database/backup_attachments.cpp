#include "store/sqlite/database/backup_attachments.hpp"

#include "core/model/attachment.hpp"
#include "core/tasks/attachment_rules.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::sqlite {
namespace {

constexpr std::size_t kTasksAtOnce = 100;
constexpr auto kMostContent = static_cast<std::size_t>(core::kMostAttachmentBytes);

/// Calls `visit` with each content and its place.
template <class Visit>
std::int64_t each_content(AttachmentFiles& files, Visit const& visit) {
  std::int64_t count = 0;
  core::TaskId from = 0;
  do {
    auto const some = files.old_places(from, core::Instant::max(), kTasksAtOnce);
    for (auto const& place : some.places) {
      auto const content = files.get(place, kMostContent);
      if (content) visit(place, *content), ++count;  // one that was removed meanwhile is none
    }
    from = some.next;
  } while (from != core::TaskId{0});
  return count;
}

void put_if_missing(AttachmentFiles& to, AttachmentPlace const& place, std::string_view content) {
  if (!to.get(place, kMostContent)) to.put(place, content);
}

AttachmentPlace checked(AttachmentPlace place) {
  core::Attachment record;
  record.id = place.id;
  record.name = place.name;
  if (place.task <= 0 || !core::has_safe_place(record))
    throw StoreError{StoreError::Kind::damaged, "the backup names an attachment outside of its place"};
  return place;
}

}  // namespace

std::int64_t add_attachments(Connection& db, AttachmentFiles& from) {
  db.execute(
      "CREATE TABLE backup_attachment (task INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, "
      "content BLOB NOT NULL, PRIMARY KEY (task, id)) STRICT;");
  return each_content(from, [&](AttachmentPlace const& place, std::string_view content) {
    auto row = db.assembled("INSERT INTO backup_attachment VALUES ($1, $2, $3, CAST($4 AS BLOB))");
    row.bind(1, std::int64_t{place.task});
    row.bind(2, place.id);
    row.bind(3, place.name);
    row.bind(4, content);
    row.step();
  });
}

std::int64_t extract_attachments(Connection& backup, AttachmentFiles& to) {
  if (backup.value_of("SELECT count(*) FROM sqlite_schema WHERE name = 'backup_attachment'") == "0") return 0;
  std::int64_t count = 0;
  for (auto row = backup.assembled("SELECT task, id, name, content FROM backup_attachment"); row.step();
       ++count)
    put_if_missing(to, checked({{}, core::TaskId{row.integer(0)}, row.text(1), row.text(2)}), row.view(3));
  return count;
}

std::int64_t copy_attachments(AttachmentFiles& from, AttachmentFiles& to) {
  return each_content(from, [&](AttachmentPlace const& place, std::string_view content) {
    put_if_missing(to, place, content);
  });
}

}  // namespace andon::store::sqlite
