import { readFile, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

const IN_MEMORY = "/dev/shm";

/** A run of all tests uses about a tenth of this. */
const FREE_BYTES = 4 * 1024 ** 3;

/**
 * The folder for temporary files of tests: on Linux one in memory, if it is large enough and allows programs. PostgreSQL
 * creates a file for each table and index, so cloning a database on a disk takes ten times the CPU time.
 */
export async function folderInMemory(): Promise<string> {
  return (await isSuitable().catch(() => false)) ? IN_MEMORY : tmpdir();
}

async function isSuitable(): Promise<boolean> {
  const { bavail, bsize } = await statfs(IN_MEMORY);
  return bavail * bsize >= FREE_BYTES && !(await mountOptions()).includes("noexec");
}

async function mountOptions(): Promise<string[]> {
  const mounts = (await readFile("/proc/mounts", "utf8")).split("\n").map((line) => line.split(" "));
  const [, , , options = "noexec"] = mounts.find(([, folder]) => folder === IN_MEMORY) ?? [];
  return options.split(",");
}
