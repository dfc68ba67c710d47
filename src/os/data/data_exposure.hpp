#pragma once

#include <string_view>
#include <vector>

#include "os/data/data_directory.hpp"
#include "os/files/exposure.hpp"

namespace andon::os {

struct DataExposure {
  std::string_view about;  ///< the part of the data directory, for people
  Exposure exposure;
};

/// What other users could change or replace in a data directory, which need not be there: the directory
/// itself and those on the way to it, its own directories, the database and the token. Each place once.
std::vector<DataExposure> exposures_of(DataDirectory const& data);

}  // namespace andon::os
