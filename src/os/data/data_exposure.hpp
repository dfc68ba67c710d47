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

/// Lists what other users could change or replace, and the files with secrets that they could read: the data
/// directory and those on the way to it, the directories in it, the database and the token. Names each place
/// once. The data directory may be missing.
std::vector<DataExposure> exposures_of(DataDirectory const& data);

}  // namespace andon::os
