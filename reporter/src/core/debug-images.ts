import type { DebugImage } from "./event.ts";
import { topFile } from "./trace.ts";

/**
 * A snippet that a bundler or its plugin puts into each file adds the file's debug id here. Its key is the stack inside the
 * snippet, which begins with the file.
 */
interface Scope {
  _sentryDebugIds?: Record<string, string>;
  /** Next.js with Turbopack. */
  _debugIds?: Record<string, string>;
}

/** The file of each key. */
const files: Record<string, string> = {};

/** The debug ids of the files in a trace. */
export function debugMeta(trace: string): { images: DebugImage[] } | undefined {
  const { _sentryDebugIds, _debugIds } = globalThis as Scope;
  const images: DebugImage[] = [];
  for (const [stack, debug_id] of Object.entries({ ..._sentryDebugIds, ..._debugIds })) {
    const code_file = (files[stack] ??= topFile(stack));
    if (code_file && trace.includes(`${code_file}:`)) images.push({ type: "sourcemap", code_file, debug_id });
  }
  return images[0] && { images };
}
