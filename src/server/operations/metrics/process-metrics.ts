import { collectDefaultMetrics, Registry } from "prom-client";

/** CPU, memory, event loop and garbage collection: there is one process, however many apps it serves. */
let registry: Registry | undefined;

export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}
