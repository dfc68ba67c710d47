// Ends before it reads its input.
#include "support/zoo/zoo.hpp"

int main() {}
