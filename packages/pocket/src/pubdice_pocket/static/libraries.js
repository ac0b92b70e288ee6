/** Compiled libraries, by their path among the packages. Each is a file of the engine's folder. */
export const LIBRARIES = ['msgspec/_core.cpython-314-wasm32-emscripten.so'];
