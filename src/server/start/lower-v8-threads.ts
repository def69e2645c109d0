import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";

const THREADS = "/proc/self/task";
const NICE = 10;

/**
 * Gives V8's own threads, which mark old objects and compile code, a lower priority than the thread that answers requests. With two
 * processors, they would otherwise make it and PostgreSQL wait for up to 13 ms. Only on Linux, where threads have priorities of their own.
 */
export function lowerV8Threads(): void {
  for (const thread of v8Threads())
    try {
      setPriority(Number(thread), NICE);
    } catch {
      // Not permitted here, for example by a seccomp profile. It is only slower.
    }
}

/** The ids of V8's threads. None where the system does not tell. */
function v8Threads(): string[] {
  try {
    return readdirSync(THREADS).filter((id) =>
      readFileSync(`${THREADS}/${id}/comm`, "utf8").startsWith("V8Worker"),
    );
  } catch {
    return [];
  }
}
