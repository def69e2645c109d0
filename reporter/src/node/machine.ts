import { attempt } from "../core/safe.ts";
import { builtin } from "./builtin.ts";

/** Node, or another runtime with its API. */
export function runtime(): { name: string; version: string } {
  const { versions } = process;
  const name = versions["bun"] ? "bun" : versions["deno"] ? "deno" : "node";
  return { name, version: versions[name] ?? process.version };
}

export function hostName(): string | undefined {
  return attempt(() => builtin("node:os").hostname());
}

/** Peak resident memory of the process in bytes. */
export function memoryPeak(): number | undefined {
  return attempt(() => process.resourceUsage().maxRSS * 1024);
}

/**
 * The lower of two limits in bytes: that of the process's control group (its container), if there is one, and V8's heap
 * limit.
 */
export function memoryLimit(): number | undefined {
  const heap = attempt(() => builtin("node:v8").getHeapStatistics().heap_size_limit);
  const group = attempt(() => process.constrainedMemory?.());
  const total = attempt(() => builtin("node:os").totalmem());
  // Without a limit, the control group reports 0 or a number above any machine's memory.
  return group && total && group < total && (!heap || group < heap) ? group : heap;
}
