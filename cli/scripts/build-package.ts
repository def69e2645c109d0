import { chmodSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const ROOT = path.join(import.meta.dirname, "..");

/** Bundles the program into one file that needs nothing but Node 20. */
export async function buildProgram(file: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["src/main.ts"],
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    legalComments: "none",
  });
  chmodSync(file, 0o755);
}
