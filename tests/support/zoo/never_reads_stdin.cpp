// Works without looking at its input.
#include "support/zoo/zoo.hpp"

int main() { std::puts("worked without reading"); }
