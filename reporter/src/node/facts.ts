import { debugMeta } from "../core/debug-images.ts";
import type { ErrorEventBody } from "../core/event.ts";
import type { CaptureDetails } from "../core/options.ts";
import type { Platform } from "../core/platform.ts";
import { attempt } from "../core/safe.ts";
import { detectFramework } from "./framework.ts";
import { readFrames } from "./frames.ts";
import { hostName, memoryLimit, memoryPeak, runtime } from "./machine.ts";
import type { NodeCaptureDetails, ReporterOptions } from "./options.ts";
import { builtin } from "./builtin.ts";

/** Creates the function that adds the machine's fields. Constant facts are read once, at the first error. */
export function createFacts(options: ReporterOptions, log: (line: string) => void): Platform["facts"] {
  let machineFacts: Partial<ErrorEventBody> | undefined;
  const frameworks = new Map<string | undefined, ErrorEventBody["framework"]>();
  let hashUser: ReturnType<typeof createUserHash> | undefined;
  let warned = false;

  function framework({ framework: given }: CaptureDetails): ErrorEventBody["framework"] {
    if (options.framework !== undefined) return options.framework || undefined;
    if (given?.version) return given;
    const name = given?.name;
    if (!frameworks.has(name))
      frameworks.set(
        name,
        attempt(() => detectFramework(name)),
      );
    return frameworks.get(name);
  }

  function userHash({ userId }: NodeCaptureDetails): string | undefined {
    if (userId === undefined || userId === null || userId === "") return undefined;
    if (options.userHashSecret) return (hashUser ??= createUserHash(options.userHashSecret))(userId);
    if (!warned) log("userId is ignored without userHashSecret");
    warned = true;
    return undefined;
  }

  return (details: NodeCaptureDetails, trace) => {
    machineFacts ??= {
      runtime: runtime(),
      memory_limit_bytes: memoryLimit(),
      host: options.host === false ? undefined : (options.host ?? hostName()),
    };
    return {
      ...machineFacts,
      frames: readFrames(trace),
      debug_meta: debugMeta(trace),
      framework: framework(details),
      memory_peak_bytes: memoryPeak(),
      user_hash: attempt(() => userHash(details)) ?? details.userHash,
    };
  };
}

/**
 * Returns a function that computes the HMAC-SHA256 of a user's id with the application's secret, as 64 lowercase hex
 * characters.
 */
function createUserHash(secret: string): (id: string | number) => string {
  const { createHmac, createSecretKey } = builtin("node:crypto");
  // Created once: converting the secret to a key costs more than the hash.
  const key = createSecretKey(secret, "utf8");
  return (id) => createHmac("sha256", key).update(String(id)).digest("hex");
}
