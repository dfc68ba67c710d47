#pragma once

#include <functional>
#include <string>

#include "core/model/board.hpp"
#include "core/model/event.hpp"
#include "core/model/task.hpp"

namespace andon::store::sqlite {

class Connection;
class Transaction;

/// Tells where tasks are kept beside the database; for readers and the writer.
class Places {
 public:
  virtual ~Places() = default;
  /// The absolute path of a task's file; empty for none. May throw when the database is behind the files.
  virtual std::string file_of(Connection& db, core::Board const& board, core::TaskId task) = 0;
  /// The same after `refresh`, by the word of the database alone.
  virtual std::string seen_file_of(Connection& db, core::Board const& board, core::TaskId task) = 0;
  /// Whether all tasks are in files and the database is nothing but an index of them.
  virtual bool is_directory() const = 0;
  /// Called once in a unit before it reads more than single tasks, but not for the further pages of a list.
  /// May throw when the database is behind the files.
  virtual void refresh(Connection& db) = 0;
  /// Called when a task is asked for that the database does not have; may say why by throwing.
  virtual void on_not_found(Connection& db, core::TaskId task) = 0;
};

/// The truth beside a database that is only an index of it, such as a directory of files. It is told of every
/// change while a unit of work runs, and writes it when the unit is kept. Calls come on the writer's thread,
/// but for `begin` and `end`.
class Mirror : public Places {
 public:
  // Around the life of the writer
  /// `wake` has the writer look at the truth soon; it may be called on any thread until `end`.
  virtual void begin(std::function<void()> wake) = 0;
  virtual void end() noexcept = 0;

  /// Whether it keeps anything at all now.
  virtual bool is_in_use() const = 0;
  /// Whether others change the database itself, unseen by this process.
  virtual bool is_shared() const = 0;

  // Around a batch
  /// Before the database is looked at.
  virtual void enter() = 0;
  /// Whether the batch must begin with catching up.
  virtual bool is_behind() = 0;
  /// Brings the database up to what the truth is now. True when there is more to do, in a unit of its own.
  virtual bool catch_up(Transaction& tx) = 0;
  /// The batch is lost: what was published for it is undone. Throws UnknownResult when that fails.
  virtual void take_back() = 0;
  /// The batch is on the disk.
  virtual void settle() noexcept = 0;
  virtual void leave() noexcept = 0;

  // Around a unit
  virtual void start_unit() = 0;
  /// Writes what the unit changed. False when what the unit saw is no longer so: it must be decided again.
  /// When it throws, the truth is as it was, but for UnknownResult.
  virtual bool publish(Transaction& tx) = 0;

  // In a unit, before the database is changed
  virtual void adding(Transaction& tx, core::Board& board) = 0;
  virtual void putting(Transaction& tx, core::Board const& before, core::Board& board) = 0;
  virtual void removing(Transaction& tx, core::Board const& board) = 0;
  virtual void adding(Transaction& tx, core::Board const& board, core::Task& task) = 0;
  /// `with_body` says whether `task.body` counts.
  virtual void putting(Transaction& tx, core::Board const& board, core::Task const& before, core::Task& task,
                       bool with_body) = 0;
  virtual void appending(Transaction& tx, core::Event const& event) = 0;

  /// In a unit, after the board is in the database.
  virtual void added(Transaction& tx, core::Board const& board) = 0;
};

/// Thrown by a mirror in a unit of work whose view of the truth is out of date.
struct Outdated {
  std::string file{};  ///< the one that was changed; empty when it is another thing
};

}  // namespace andon::store::sqlite
