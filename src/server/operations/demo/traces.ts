import { COMPILED_RUNTIMES } from "./compiled-traces.ts";
import type { Runtime } from "./runtime.ts";
import { SCRIPT_RUNTIMES } from "./script-traces.ts";

export type RuntimeName = keyof typeof SCRIPT_RUNTIMES | keyof typeof COMPILED_RUNTIMES;

/** How programs of each kind fail. */
export const RUNTIMES: Record<RuntimeName, Runtime> = { ...SCRIPT_RUNTIMES, ...COMPILED_RUNTIMES };
