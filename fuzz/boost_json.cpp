// Boost.JSON once more, instrumented: these definitions come before those of the shared library.
#include <boost/json/src.hpp>
