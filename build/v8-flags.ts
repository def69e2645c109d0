import { readFileSync } from "node:fs";

/**
 * V8's flags of a server: a young generation of 32 MiB instead of 128, collected by one thread, to which all new objects belong,
 * and an old one that is collected when it has grown by 60 % instead of up to 300.
 *
 * V8 reads the size of the young generation only when the process starts, and on Windows a launcher would remain as a second
 * process. So the scripts `start` and `signalbox` of package.json state the flags, and the Dockerfile: a test compares them.
 * Everything else reads the script `start`.
 */
export const V8_FLAGS: readonly string[] = readScript("start").filter((word) => word.startsWith("--"));

/** The words of a script of package.json. */
export function readScript(name: string): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    scripts: Record<string, string>;
  };
  return scripts[name]?.split(" ") ?? [];
}
