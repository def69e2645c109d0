import { hash } from "node:crypto";
import { MONITOR_ERRORS } from "../../../shared/monitor-errors.ts";
import { ownFingerprint } from "../../ingest/read/own-fingerprint.ts";
import { groupOf, keyOf } from "../../ingest/store/group-identity.ts";

/** A check-in for which an event is stored, or its group resolved. */
export type PendingEffect = {
  id: number;
  effect: "failed" | "missed" | "timeout" | "resolve";
  project_id: number;
  slug: string;
  timezone: string;
  margin_minutes: number;
  max_runtime_minutes: number;
  environment_id: number;
  environment: string;
  release: string | null;
  trace_id: string | null;
  duration: number | null;
  started_at: string;
  due_at: string | null;
};

/** The error event of a check-in, as a client would send it. Its id is always the same, so that it counts once. */
export function failureEvent(pending: PendingEffect & { effect: keyof typeof MONITOR_ERRORS }) {
  const { id, effect, project_id, environment, release, slug, trace_id } = pending;
  return {
    environment,
    exception_class: MONITOR_ERRORS[effect],
    message: `${slug}: ${messageOf(pending)}`,
    stack_trace: "",
    release,
    fingerprint: fingerprintOf(slug),
    event_id: hash("md5", `monitor ${project_id} ${id} ${effect}`),
    level: "error",
    tags: { monitor: slug },
    ...(trace_id !== null && { contexts: { trace: { trace_id } } }),
  };
}

const fingerprintOf = (slug: string) => ["monitor", slug];

/** The column `key` of the group of the monitor's failures in an environment. */
export function groupKeyOf({ project_id, slug, environment }: PendingEffect): Buffer {
  const fingerprint = ownFingerprint(fingerprintOf(slug), Buffer.alloc(0)) as Buffer;
  return keyOf(groupOf(project_id, { fingerprint, environment }));
}

function messageOf(pending: PendingEffect): string {
  const { effect, timezone, margin_minutes, max_runtime_minutes, duration, started_at, due_at } = pending;
  const clock = (time: string, plusMinutes = 0) =>
    new Date(Date.parse(time) + plusMinutes * 60_000).toLocaleTimeString("en-GB", {
      timeZone: timezone,
      hour: "2-digit",
      minute: "2-digit",
    });
  if (effect === "missed" && due_at !== null)
    return `no check-in by ${clock(due_at, margin_minutes)} (due ${clock(due_at)} ${timezone})`;
  if (effect === "timeout")
    return `still running after ${max_runtime_minutes} min (started ${clock(started_at)} ${timezone})`;
  return duration === null ? "failed" : `failed after ${Number(duration.toFixed(1))} s`;
}
