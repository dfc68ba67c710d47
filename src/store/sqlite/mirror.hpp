#pragma once

#include <string>

#include "core/board.hpp"
#include "core/event.hpp"
#include "core/task.hpp"

namespace andon::store::sqlite {

class Connection;
class Transaction;

/// Tells where tasks are kept beside the database; for readers and the writer.
class Places {
 public:
  virtual ~Places() = default;
  /// The absolute path of a task's file; empty for none. May throw when the database is behind the files.
  virtual std::string file_of(Connection& db, core::TaskId task) = 0;
  /// Called once in a unit before it reads more than single tasks. May throw when the database is behind the
  /// files.
  virtual void see_all(Connection& db) = 0;
  /// Called when a task is asked for that the database does not have; may say why by throwing.
  virtual void miss(Connection& db, core::TaskId task) = 0;
};

/// The truth beside a database that is only an index of it, such as a directory of files. It is told of every
/// change while a unit of work runs, and writes it when the unit is kept. All calls come on the writer's
/// thread.
class Mirror : public Places {
 public:
  // Around a batch
  /// Before the database is looked at: nobody else changes it until `leave`.
  virtual void enter() = 0;
  /// First in a batch: brings the database up to what the truth is now.
  virtual void catch_up(Transaction& tx) = 0;
  virtual void leave() noexcept = 0;

  // Around a unit
  virtual void start_unit() = 0;
  /// Writes what the unit changed. False when what the unit saw is no longer so: it must be decided again.
  virtual bool publish(Transaction& tx) = 0;

  // In a unit, before the database is changed
  virtual void adding(Transaction& tx, core::Board& board) = 0;
  virtual void putting(Transaction& tx, core::Board const& before, core::Board& board) = 0;
  virtual void removing(core::Board const& board) = 0;
  virtual void adding(Transaction& tx, core::Board const& board, core::Task& task) = 0;
  /// `with_body` says whether `task.body` counts.
  virtual void putting(Transaction& tx, core::Board const& board, core::Task const& before, core::Task& task,
                       bool with_body) = 0;
  virtual void appending(Transaction& tx, core::Event const& event) = 0;
};

/// Thrown by a mirror in a unit of work whose view of the truth is out of date.
struct Outdated {};

}  // namespace andon::store::sqlite
