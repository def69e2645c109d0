import { api } from "../../api/client.ts";
import { FIELD_NAMES } from "./field-names.ts";
import type { QueuedChange } from "./queued-changes.ts";

/** Of a change of more things, only these many are compared: each needs a request. */
const MAX_COMPARED = 20;

/** A sentence that says what someone else has changed since the change was made; undefined if nobody has. */
export async function conflictOf({ shows }: QueuedChange): Promise<string | undefined> {
  if (shows.kind === "comment" || shows.compared.length === 0) return undefined;
  for (const { id, project_id, before, after } of shows.items.slice(0, MAX_COMPARED)) {
    const current = await api.get<object>(`/api/projects/${project_id}/${PATHS[shows.kind]}/${id}`);
    const name = shows.compared.find((field) => isChanged(field, { before, after, current }));
    if (name !== undefined) return `Someone else has changed the ${FIELD_NAMES[name] ?? "value"} meanwhile.`;
  }
  return undefined;
}

const PATHS = { issue: "issues", error_group: "error-groups", report: "reports" } as const;

type States = { before: object; after: object; current: object };

/** Whether someone else has set the field, to something else than the change does. */
function isChanged(field: string, { before, after, current }: States): boolean {
  const value = textOf(current, field);
  return value !== textOf(before, field) && value !== textOf(after, field);
}

/** Lists of ids have no order. */
function textOf(state: object, field: string): string {
  const value: unknown = state[field as keyof typeof state];
  return JSON.stringify(Array.isArray(value) ? value.map(String).toSorted() : (value ?? null));
}
