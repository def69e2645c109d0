import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import path from "node:path";

const ROOT = import.meta.dirname;

// Half of a start is compiling, so compiled code is cached. It is executed, so the cache is in node_modules, where only the
// account that installed the packages can write.
enableCompileCache(path.join(ROOT, "node_modules/.cache/signalbox"));

// The bundle starts in half of the time and takes less memory, but must match these sources.
const bundle = findBundle();
if (bundle === undefined && process.argv[2] === "serve") bundleForNextStart();
await import(bundle ?? "./src/server/main.ts");

function findBundle() {
  const folder = path.join(ROOT, "dist/server");
  try {
    const { main, sources } = JSON.parse(readFileSync(path.join(folder, "bundle.json"), "utf8"));
    const isCurrent = Object.entries(sources).every(
      ([file, digest]) => hash("sha1", readFileSync(path.join(ROOT, file))) === digest,
    );
    return isCurrent ? `./dist/server/${main}` : undefined;
  } catch {
    return undefined;
  }
}

/** Fails without the build tools, or if the folder cannot be written; then the sources are used again. */
function bundleForNextStart() {
  const script = path.join(ROOT, "build/bundle-server.mjs");
  spawn(process.execPath, [script], { stdio: "ignore" })
    .on("error", () => {})
    .unref();
}
