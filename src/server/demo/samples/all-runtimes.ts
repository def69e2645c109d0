import { COMPILED_RUNTIMES } from "./compiled-runtimes.ts";
import type { Runtime } from "./runtime.ts";
import { SCRIPT_RUNTIMES } from "./scripting-runtimes.ts";

export type RuntimeName = keyof typeof SCRIPT_RUNTIMES | keyof typeof COMPILED_RUNTIMES;

export const RUNTIMES: Record<RuntimeName, Runtime> = { ...SCRIPT_RUNTIMES, ...COMPILED_RUNTIMES };
