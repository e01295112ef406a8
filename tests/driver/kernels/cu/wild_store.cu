// A store to where nothing is, and one that is not aligned.
extern "C" __global__ void wild_store(int* where) { *where = 1; }
