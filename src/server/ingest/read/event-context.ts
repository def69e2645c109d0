import type { ErrorEvent } from "../../../shared/error-events.ts";
import { isAllowedPattern } from "./route-pattern.ts";

/** Where an event happened: its kind and every field of that kind, null if not sent. */
export type EventContext =
  | {
      kind: "route";
      name: string | null;
      method: string | null;
      pattern: string | null;
      action: string | null;
      response_status: number | null;
    }
  | { kind: "job"; name: string | null; queue: string | null; attempt: number | null }
  | { kind: "command"; name: string | null; class: string | null };

/**
 * The context to store, or null if none was sent. If the pattern could be the address of a request, which may contain
 * personal data, the whole context is dropped.
 */
export function readContext(sent: ErrorEvent["context"]): EventContext | null {
  if (!sent) return null;
  const name = sent.name || null;
  switch (sent.kind) {
    case "route": {
      const pattern = sent.pattern || null;
      if (pattern !== null && !isAllowedPattern(pattern)) return null;
      const { response_status = null } = sent;
      return {
        kind: "route",
        name,
        method: sent.method || null,
        pattern,
        action: sent.action || null,
        response_status,
      };
    }
    case "job":
      return { kind: "job", name, queue: sent.queue || null, attempt: sent.attempt ?? null };
    case "command":
      return { kind: "command", name, class: sent.class || null };
  }
}
