#pragma once

#include <string>
#include <vector>

#include "bridge/conversation/chat_board.hpp"

namespace andon::core {
struct Question;
}

namespace andon::bridge {

/// `#12 Fix the login`.
std::string task_label(core::Task const& task);
/// One row of a list: the label, its column where the list has several, and who has it.
std::string task_row(core::Task const& task, bool with_column);

inline constexpr std::size_t kRowsOfList = 10;
/// Adds rows to a message, and how many more there are than those.
void add_rows(OutMessage& message, std::vector<std::string> const& rows, std::size_t total, bool is_complete);

/// The name of a question as it stands: it differs as soon as the task asks something else or asks again.
std::string question_stamp(core::Question const& question);
/// The task and the question that a reply answers.
std::string about_question(core::Task const& task);
std::string about_task(core::Task const& task);

/// Buttons for what a person in the chat can do with the task in its present state.
std::vector<std::vector<Button>> buttons_for(Chat const& chat, core::Task const& task);
/// Lets a reply answer the question, or add a note where the task asks nothing.
void offer_replies(OutMessage& message, core::Task const& task);

/// The whole task: state, brief, result, what it asks.
OutMessage task_card(ChatBoard& chat_board, core::Task const& task);

}  // namespace andon::bridge
