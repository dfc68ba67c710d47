#pragma once

#include <functional>
#include <string>

#include "core/id.hpp"

namespace andon::core {
struct Board;
struct Event;
struct Task;
}  // namespace andon::core

namespace andon::store::engine {

class FileTable;
class Unit;

/// Finds the files of tasks whose boards are kept in files; for readers and the writer.
class Places {
 public:
  virtual ~Places() = default;
  /// The absolute path of a task's file; empty when it has none. May throw Outdated when the database is
  /// behind the files.
  virtual std::string file_of(FileTable& files, core::Board const& board, core::TaskId task) = 0;
  /// The path of a task's file according to the database alone; call it after `refresh`.
  virtual std::string seen_file_of(FileTable& files, core::Board const& board, core::TaskId task) = 0;
  /// True when all tasks are in files, so that the database is only an index of them.
  virtual bool is_directory() const = 0;
  /// Called once in a unit before it reads more than single tasks, but not for the further pages of a list.
  /// May throw Outdated when the database is behind the files.
  virtual void refresh(FileTable& files) = 0;
  /// Called when a unit asks for a task that the database does not have. May throw an error with the reason.
  virtual void on_not_found(FileTable& files, core::TaskId task) = 0;
};

/// The truth behind a database that is only an index of it, such as a directory of files. The transaction
/// reports every change to the source while a unit runs, and the source writes the changes when the unit is
/// kept. All calls except `begin` and `end` come on the writer's thread.
class ExternalSource : public Places {
 public:
  // Around the life of the writer
  /// `wake` makes the writer look at the truth soon. Any thread may call it until `end`.
  virtual void begin(std::function<void()> wake) = 0;
  virtual void end() noexcept = 0;

  /// True when any board is kept in files now.
  virtual bool is_in_use() const = 0;
  /// True when other processes change the database itself.
  virtual bool is_shared() const = 0;

  // Around a batch
  /// Called before the writer reads the database.
  virtual void enter() = 0;
  /// True when the batch must begin with `catch_up`.
  virtual bool is_behind() = 0;
  /// Brings the database up to the present truth. True when there is more to do, in another unit.
  virtual bool catch_up(Unit& tx) = 0;
  /// Undoes the files that were published for a batch that is lost. Throws UnknownResult when that fails.
  virtual void take_back() = 0;
  /// Called when the batch is on the disk.
  virtual void settle() noexcept = 0;
  virtual void leave() noexcept = 0;

  // Around a unit
  virtual void start_unit() = 0;
  /// Writes the changes of the unit to the truth. False when the truth has changed since the unit read it, so
  /// that the unit must run again. An exception leaves the truth unchanged, except UnknownResult.
  virtual bool publish(Unit& tx) = 0;

  // In a unit, before the database is changed
  virtual void adding(Unit& tx, core::Board& board) = 0;
  virtual void putting(Unit& tx, core::Board const& before, core::Board& board) = 0;
  virtual void removing(Unit& tx, core::Board const& board) = 0;
  virtual void adding(Unit& tx, core::Board const& board, core::Task& task) = 0;
  /// `with_body` is true when `task.body` is to be written too.
  virtual void putting(Unit& tx, core::Board const& board, core::Task const& before, core::Task& task,
                       bool with_body) = 0;
  virtual void appending(Unit& tx, core::Event const& event) = 0;

  /// Called in a unit after the board is in the database.
  virtual void added(Unit& tx, core::Board const& board) = 0;
};

/// Thrown by a source in a unit of work that has read an outdated state of the truth.
struct Outdated {
  std::string file{};  ///< the changed file; empty when the change is elsewhere
};

}  // namespace andon::store::engine
