import { writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

// Preloaded into a process of the program. PAUSE_AT is a call that changes files, such as `rename signalbox.next 1`: the process stops
// right before its first call of `rename` with a file of that name, and creates the file PAUSED.

const { PAUSE_AT = "", PAUSED = "" } = process.env;
const [call, fileName, count] = PAUSE_AT.split(" ");

const functions = files as unknown as Record<string, (file: unknown, ...rest: unknown[]) => Promise<unknown>>;
const original = functions[call ?? ""];
if (original) {
  let calls = 0;
  functions[call ?? ""] = async (file, ...rest) => {
    if (path.basename(String(file)) === fileName && ++calls === Number(count)) await pauseForever();
    return original(file, ...rest);
  };
  syncBuiltinESMExports();
}

async function pauseForever(): Promise<void> {
  writeFileSync(PAUSED, "");
  // A process without timers would end.
  setInterval(() => {}, 1_000_000);
  await new Promise(() => {});
}
