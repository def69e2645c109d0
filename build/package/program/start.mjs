import path from "node:path";

// Without the system's C library, the program of this process is the loader of another one. Child processes need Node.
process.execPath = path.join(import.meta.dirname, "bin/node");
// Usage messages then say how this program is called.
process.env.SIGNALBOX_PACKAGED = "true";
await import(path.join(import.meta.dirname, "signalbox.mjs"));
