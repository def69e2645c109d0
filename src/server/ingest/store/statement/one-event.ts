import { RETENTION_DAYS } from "./columns.ts";

/** The arguments of `store_event` after the retention window, in their order. Only what a group or an event has, and no counts. */
const ARGUMENTS = {
  key: "bytea",
  message: "text",
  release: "text",
  context_kind: "text",
  context_label: "text",
  level: "text",
  stack_trace: "text",
  previous_exceptions: "text",
  exception_code: "text",
  memory_peak_bytes: "bigint",
  memory_limit_bytes: "bigint",
  runtime_name: "text",
  runtime_version: "text",
  framework_name: "text",
  framework_version: "text",
  context: "text",
  event_id: "uuid",
  host: "text",
  user_hash: "bytea",
  pseudonym: "text",
  tags: "jsonb",
  additions: "text",
  cut: "jsonb",
  is_release_kept: "boolean",
} as const;

/** The values of the statement for one event. */
export type OneEvent = { event: Record<keyof typeof ARGUMENTS, Buffer | string | number | boolean | null> };

const SENT = Object.entries(ARGUMENTS).map(([name, type]) => `$event.${name}::${type}`);

/**
 * Stores one event of a group that exists and is open, with a function of a few small statements. The statement for batches takes
 * several times as long for one event, because PostgreSQL prepares each of its parts for several groups, new rows and limits.
 * Fails with UNEXPECTED_CHANGES if the statement for batches has to store the event. `id` is null if there is no group.
 */
export const ONE_EVENT = `
select stored_group as id, stored_project as project_id, kept, replaced, is_past_first
from store_event(${RETENTION_DAYS}, ${SENT.join(", ")})`;
