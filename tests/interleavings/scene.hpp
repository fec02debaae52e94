#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "interleavings/deed.hpp"

namespace millrace {

// A state of the database with two alike items, and the commands that meet in it.
struct Scene {
    std::string name{};
    std::vector<std::string> deeds{};
    // Brings one item into its state, at noon; the commands come an hour later.
    std::function<void(Player&, Item&)> build{};
    bool ends_paused = false;  // Its workspace, once the items are there.
};

// For the names of tests.
inline void PrintTo(const Scene& scene, std::ostream* out) {
    *out << scene.name;
}

const std::vector<Scene>& scenes();

// What all scenes begin with: the workspace, its definitions and an API key.
void build_ground(Player& player);

// The item before anything is there: its ids.
Item item_numbered(int number);

}  // namespace millrace
