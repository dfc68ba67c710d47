// Works without looking at its input.
#include "zoo.hpp"

int main() { std::puts("worked without reading"); }
