import type { ErrorEvent } from "../../../shared/error-events.ts";
import { isAllowedPattern } from "./route-pattern.ts";

/** Where an event happened: its kind and every field of that kind, null when not sent (service.md 2.7, 4.6). */
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

/** null when none was sent, and when its pattern shows more than the declared route: then all of it goes. */
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
