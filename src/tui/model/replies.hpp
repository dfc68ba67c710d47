#pragma once

#include "tui/model/model.hpp"

namespace andon::tui {

// The model takes what the board sends: answers, the board itself, and the changes on its stream.

void take(Model& model, Answered&& answered, Effects& effects);
void take(Model& model, OutputRead&& read, Effects& effects);
void take(Model& model, BoardRead&& read, Effects& effects);
void take(Model& model, CardsRead&& read, Effects& effects);
void take(Model& model, BoardComplete&& done, Effects& effects);
void take(Model& model, BoardChanged&& changed, Effects& effects);
void take(Model& model, Connection&& connection, Effects& effects);

/// Asks why nobody works on the cards in sight that wait, where that is not known.
void ask_for_reasons(Model& model, Effects& effects);

}  // namespace andon::tui
