import { collectDefaultMetrics, Registry } from "prom-client";

/** CPU, memory, event loop and garbage collection. Shared by all apps of a process, such as those of a test. */
let registry: Registry | undefined;

export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}
