#pragma once

#include <array>
#include <ranges>
#include <string>

#include "store/sqlite/database/connection.hpp"

namespace andon::test {

/// What takes a step of the schema back, for those that cannot be applied twice.
struct StepBack {
  int version;
  char const* sql;
};
constexpr std::array kStepsBack{
    StepBack{9, "DROP TABLE tag_queue"},
    StepBack{10, "DROP TABLE settling"},
    StepBack{
        11,
        "DROP INDEX task_by_update; DROP INDEX task_aside; DROP INDEX task_by_title;"
        "DROP INDEX task_by_creation; DROP INDEX task_by_due; DROP INDEX task_by_priority;"
        "DROP TRIGGER task_new_archived; DROP TRIGGER task_archived; ALTER TABLE task DROP COLUMN archived;"
        "DROP INDEX task_by_role; DROP INDEX task_by_class; DROP INDEX task_blocked;"
        "DROP INDEX task_with_open_deps; DROP TABLE task_tag"},
    StepBack{12,
             "DROP TRIGGER tally_new_task; DROP TRIGGER tally_changed_task; DROP TRIGGER tally_removed_task;"
             "DROP TABLE tally; DROP TABLE tally_due; DROP TABLE tally_stale"},
    StepBack{
        13,
        "DROP TABLE move_total; DROP TABLE finished_total; DROP TABLE spread_total; DROP TABLE run_total;"
        "DROP TABLE flow_settled; DROP TABLE abandoned; DROP INDEX event_column"},
    StepBack{14, "DROP TABLE child_count; DROP TABLE open_review"},
    StepBack{15,
             "DROP INDEX task_claim_end; ALTER TABLE task DROP COLUMN unsettled;"
             "CREATE INDEX task_claim_end ON task (claim_expires) WHERE claim_expires IS NOT NULL"},
    StepBack{16, "DROP INDEX task_retry"},
    StepBack{17, "DROP TABLE given; DROP INDEX token_revoked; DROP INDEX token_expires"},
    StepBack{18, "DROP TABLE run_guard"},
    StepBack{19, R"(CREATE TRIGGER task_new_archived AFTER INSERT ON task WHEN NEW.stage = 'archived' BEGIN
  UPDATE task SET archived = 1 WHERE id = NEW.id;
END;
CREATE TRIGGER task_archived AFTER UPDATE OF stage ON task WHEN (NEW.stage = 'archived') <> NEW.archived BEGIN
  UPDATE task SET archived = NEW.stage = 'archived' WHERE id = NEW.id;
END;
CREATE TRIGGER tally_new_task AFTER INSERT ON task BEGIN
  INSERT OR IGNORE INTO tally_stale (task) VALUES (NEW.id);
END;
CREATE TRIGGER tally_changed_task
  AFTER UPDATE OF board, status, stage, blocked, due, priority, class, assignee, role, parent, details,
    created, started, completed, run ON task
  WHEN OLD.status <> NEW.status OR OLD.stage <> NEW.stage OR OLD.blocked <> NEW.blocked OR OLD.due IS NOT NEW.due
    OR OLD.priority <> NEW.priority OR OLD.class <> NEW.class OR OLD.assignee <> NEW.assignee OR OLD.role <> NEW.role
    OR OLD.parent IS NOT NEW.parent OR OLD.board <> NEW.board OR OLD.details IS NOT NEW.details
    OR OLD.completed IS NOT NEW.completed OR OLD.started IS NOT NEW.started OR OLD.created <> NEW.created
    OR OLD.run IS NOT NEW.run
BEGIN
  INSERT OR IGNORE INTO tally_stale
    VALUES (OLD.id, OLD.board, OLD.status, OLD.stage, OLD.blocked, OLD.due, OLD.priority, OLD.class, OLD.assignee,
      OLD.role, OLD.parent, OLD.details, OLD.created, OLD.started, OLD.completed, OLD.run);
END;
CREATE TRIGGER tally_removed_task AFTER DELETE ON task BEGIN
  INSERT OR IGNORE INTO tally_stale
    VALUES (OLD.id, OLD.board, OLD.status, OLD.stage, OLD.blocked, OLD.due, OLD.priority, OLD.class, OLD.assignee,
      OLD.role, OLD.parent, OLD.details, OLD.created, OLD.started, OLD.completed, OLD.run);
END;)"},
    StepBack{20, "ALTER TABLE run_total DROP COLUMN unpriced"},
    StepBack{21, "DROP TABLE task_sketch"},
    StepBack{22, "ALTER TABLE run_total DROP COLUMN flaky"},
};

/// Makes the database one that lacks this step and all later ones.
inline void take_back(store::sqlite::Connection& db, int version) {
  for (auto const& step : kStepsBack | std::views::reverse)
    if (step.version >= version) db.execute(step.sql);
  db.execute("DELETE FROM schema_migration WHERE version >= " + std::to_string(version));
}

}  // namespace andon::test
