#include "cli/command_line/command_handlers.hpp"

#include <array>

#include "api/row_of.hpp"
#include "core/model/board.hpp"
#include "service/access/access.hpp"
#include "service/automations/automations.hpp"
#include "service/boards/attach.hpp"
#include "service/boards/boards.hpp"
#include "service/history/history.hpp"
#include "service/insight/context.hpp"
#include "service/insight/dependency_graph.hpp"
#include "service/insight/metrics.hpp"
#include "service/insight/search.hpp"
#include "service/insight/summary.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/landing_verdict.hpp"
#include "service/tasks/attachments.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/workers/workers.hpp"

namespace andon::cli {
namespace {

using api::of;

constexpr std::array kSpecialCommands{
    // clang-format off
    SpecialCommand{of<&service::create_task>, &create_task},
    SpecialCommand{of<&service::flow_metrics>, &measure_flow},
    SpecialCommand{of<&service::list_tasks>, &list_tasks},
    SpecialCommand{of<&service::get_task>, &show_task},
    SpecialCommand{of<&service::edit_task>, &edit_task},
    SpecialCommand{of<&service::move_task>, &move_task},
    SpecialCommand{of<&service::archive_task>, &archive_task},
    SpecialCommand{of<&service::pick_task>, &pick_task},
    SpecialCommand{of<&service::submit_task>, &submit_task},
    SpecialCommand{of<&service::complete_task>, &complete_task},
    SpecialCommand{of<&service::handoff_task>, &handoff_task},
    SpecialCommand{of<&service::heartbeat>, &heartbeat},
    SpecialCommand{of<&service::attach_file>, &add_attachment},
    SpecialCommand{of<&service::get_attachment>, &write_attachment},
    SpecialCommand{of<&service::create_board>, &create_board},
    SpecialCommand{of<&service::edit_board>, &edit_board},
    SpecialCommand{of<&service::attach_board>, &attach_board},
    SpecialCommand{of<&service::get_board>, &show_board},
    SpecialCommand{of<&service::board_summary>, &summarize_board},
    SpecialCommand{of<&service::get_worker>, &show_worker},
    SpecialCommand{of<&service::board_context>, &describe_board},
    SpecialCommand{of<&service::delete_task>, &delete_task},
    SpecialCommand{of<&service::set_dispatch>, &pause_dispatch, "dispatch pause", "worker?",
                   "Let workers pick nothing: all, those of a board, or one."},
    SpecialCommand{of<&service::set_dispatch>, &resume_dispatch, "dispatch resume", "worker?",
                   "Let workers pick again."},
    SpecialCommand{of<&service::judge_landing>, &let_land, "work land", "id",
                   "Let work land that exceeds limits of its board."},
    SpecialCommand{of<&service::judge_landing>, &reject_landing, "work reject", "id",
                   "Send work back, with a reason, that exceeds limits of its board."},
    SpecialCommand{of<&service::add_automation>, &add_automation},
    SpecialCommand{of<&service::edit_automation>, &edit_automation},
    SpecialCommand{of<&service::list_events>, &show_log},
    SpecialCommand{of<&service::search_tasks>, &search_tasks},
    SpecialCommand{of<&service::list_tokens>, &list_tokens},
    SpecialCommand{of<&service::dependency_graph>, &draw_dependencies},
    // clang-format on
};

}  // namespace

std::span<SpecialCommand const> special_commands() { return kSpecialCommands; }

}  // namespace andon::cli
