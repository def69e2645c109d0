import { attempt } from "../core/safe.ts";
import { builtin } from "./builtin.ts";

/** What runs the program: Node, or a runtime that speaks its API. */
export function runtime(): { name: string; version: string } {
  const { versions } = process;
  const name = versions["bun"] ? "bun" : versions["deno"] ? "deno" : "node";
  return { name, version: versions[name] ?? process.version };
}

/** The machine's name. */
export function hostName(): string | undefined {
  return attempt(() => builtin("node:os").hostname());
}

/** The highest resident memory of the process so far, in bytes. */
export function memoryPeak(): number | undefined {
  return attempt(() => process.resourceUsage().maxRSS * 1024);
}

/**
 * What ends the process first, in bytes: the memory limit of its control group (a container's), or V8's heap limit
 * where there is none or it is larger.
 */
export function memoryLimit(): number | undefined {
  const heap = attempt(() => builtin("node:v8").getHeapStatistics().heap_size_limit);
  const group = attempt(() => process.constrainedMemory?.());
  const total = attempt(() => builtin("node:os").totalmem());
  // Without a limit the control group answers 0 or a number beyond any machine's memory.
  return group && total && group < total && (!heap || group < heap) ? group : heap;
}
