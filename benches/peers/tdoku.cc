// tdoku, one thread, uniqueness checked; `just bench-tdoku` builds and runs it. A puzzle a line.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "tdoku.h"

// Processor time, because other programs may be running. getrusage would count it in ticks of the
// scheduler: passes that are shorter than a few of them would take no time, or one tick.
static double now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int count, char **arguments) {
    for (int i = 1; i < count; i++) {
        std::ifstream file(arguments[i]);
        std::vector<std::string> puzzles;
        for (std::string line; std::getline(file, line);)
            if (line.size() >= 81 && line[0] != '#') puzzles.push_back(line.substr(0, 81));
        // The fastest of several passes, as the bench of the solver counts: at least three, and half a
        // second of them.
        double best = 1e9, begin = now();
        size_t found[3];
        for (int pass = 0; pass < 3 || now() < begin + 0.5; pass++) {
            std::fill(found, found + 3, 0);
            double start = now();
            for (const std::string &puzzle : puzzles) {
                char solution[81];
                size_t guesses;
                found[SolveSudoku(puzzle.c_str(), 2, 0, solution, &guesses)]++;
            }
            best = std::min(best, now() - start);
        }
        printf("solve tdoku %s %.0f unique=%zu none=%zu multiple=%zu\n", arguments[i],
               puzzles.size() / best, found[1], found[0], found[2]);
    }
}
