// Ends before it reads its input.
#include "zoo.hpp"

int main() {}
