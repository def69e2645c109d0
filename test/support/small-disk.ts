import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";

/** A file system in memory with a size limit, mounted on a folder. */
export type SmallDisk = { fill(): void; free(): void; unmount(): void };

/** Undefined if this process may not mount file systems: it needs to be root on Linux, with CAP_SYS_ADMIN. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | undefined {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0755`, "signalbox-test", folder], {
      stdio: "ignore",
    });
  } catch {
    return undefined;
  }
  const filler = path.join(folder, "filler");
  return {
    fill: () => writeUntilFull(filler),
    free: () => rmSync(filler),
    unmount: () => void execFileSync("umount", ["--lazy", folder]),
  };
}

function writeUntilFull(file: string) {
  const fd = openSync(file, "w");
  // The last kilobytes, too, are filled.
  for (const size of [1_048_576, 4_096, 1])
    try {
      const chunk = Buffer.alloc(size);
      for (;;) writeSync(fd, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  closeSync(fd);
}
