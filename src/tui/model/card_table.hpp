#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/model/board.hpp"
#include "service/tasks/card.hpp"

namespace andon::tui {

enum class SortField { priority, created, updated, title };

/// The order of the cards in a column.
struct CardOrder {
  SortField field = SortField::priority;
  bool reverse = true;  ///< the highest priority, or the newest, first
};

/// The order that the key for it comes to next, and its name for people.
CardOrder next_order(CardOrder order);
std::string_view name_of(SortField field);

/// The cards of a board by column, as they are asked to be shown. Rows are rebuilt only for columns that
/// changed.
class CardTable {
 public:
  /// Forgets all cards. The archived column is not shown.
  void begin(core::Board const& board);
  /// A changed description of the same board; its cards stay.
  void describe(core::Board const& board);
  /// Adds a card or replaces an older state of it.
  void put(service::Card card);
  /// Likewise, whatever state is known.
  void put_anew(service::Card card);
  void remove(core::TaskId id);
  /// The last line of a run's output.
  void set_line(core::TaskId id, std::string_view text);

  void set_order(CardOrder order);
  /// Shows only the cards that the text finds: a part of a title, `#12` for the numbers that begin with 12,
  /// `#12 ` for that number alone.
  void set_filter(std::string filter);

  /// Brings the rows up to date. Rows are read only after it.
  void arrange();
  std::size_t columns() const { return columns_.size(); }
  std::string const& column_name(std::size_t column) const { return columns_[column].name; }
  /// The cards that are shown of a column, in order.
  std::vector<service::Card const*> const& rows(std::size_t column) const { return columns_[column].rows; }
  /// The cards of a column, shown or not.
  std::size_t count(std::size_t column) const { return columns_[column].cards.size(); }

  service::Card const* find(core::TaskId id) const;
  std::size_t size() const { return cards_.size(); }
  std::size_t shown() const;
  CardOrder order() const { return order_; }
  std::string const& filter() const { return filter_; }
  /// Calls back for every card, in no order.
  template <class F>
  void each(F const& act) const {
    for (auto const& [id, entry] : cards_) act(entry.card);
  }

 private:
  struct Entry {
    service::Card card;
    std::string folded;  ///< the title without upper-case letters
    int priority = 0;    ///< place of its priority, the lowest first
    std::size_t column = 0;
  };
  struct Column {
    std::string name;
    std::vector<Entry const*> cards;
    std::vector<service::Card const*> rows;
    bool is_dirty = true;
  };

  void place(Entry& entry);
  void take_out(Entry const& entry);
  bool is_found(Entry const& entry) const;
  bool is_before(Entry const* a, Entry const* b) const;

  std::unordered_map<core::TaskId, Entry> cards_;
  std::vector<Column> columns_;
  std::vector<std::string> priorities_;
  CardOrder order_;
  std::string filter_;
  std::string folded_filter_;
};

}  // namespace andon::tui
