import path from "node:path";

// Without the system's C library, the program of this process is the loader of another one. Child processes need Node.
process.execPath = path.join(import.meta.dirname, "bin/node");
await import("./signalbox.mjs");
