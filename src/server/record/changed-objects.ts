import { sql } from "kysely";
import type { WebhookEventName } from "../../shared/webhooks.ts";
import { beforeCommit } from "../db/before-commit.ts";
import type { Tx } from "../db/connect.ts";
import { currentOrigin } from "./origin.ts";
import { queueWebhookEvents, type WebhookEvent } from "./webhook-events.ts";

/** The kinds of objects that changes are noted of, and their tables. */
const TABLES = {
  report: "reports",
  issue: "issues",
  comment: "comments",
  error_group: "error_groups",
  release: "releases",
  epic: "epics",
  sprint: "sprints",
} as const;

type Kind = keyof typeof TABLES;

/** Returns the objects with these ids as their GET routes return them. */
export type ObjectReader = (tx: Tx, projectId: number, ids: number[]) => Promise<Map<number, object>>;

const readers = new Map<Kind, ObjectReader>();

/** Once per process: the areas that read objects are above the ones that change them. */
export function readObjectsWith(given: Record<Kind, ObjectReader>): void {
  for (const [kind, read] of Object.entries(given)) readers.set(kind as Kind, read);
}

type Noted = Pick<WebhookEvent, "type" | "kind" | "id" | "changes"> & { kind: Kind };

const noted = new WeakMap<Tx, Noted[]>();

/**
 * Notes what happened to an object. At the end of the transaction, the object is read once, and the webhooks that are told of it
 * get a delivery. A second change of the same kind in the same transaction belongs to the same event.
 */
export function noteChange(tx: Tx, change: Noted): void {
  const changes = noted.get(tx);
  if (!changes) {
    noted.set(tx, [change]);
    beforeCommit(tx, () => queueNoted(tx));
    return;
  }
  // What else the transaction does to an object that it creates belongs to the creation.
  const same = changes.find(
    ({ type, kind, id }) =>
      id === change.id && (type === change.type || (kind === change.kind && type === `${kind}.created`)),
  );
  if (same === undefined) changes.push(change);
  else if (same.type !== change.type) return;
  else if (change.changes) same.changes = { ...same.changes, ...change.changes };
}

/** The fields that differ, with both values; undefined if none does. */
export function changesBetween<T extends object>(
  before: T,
  changes: { [Field in keyof T]?: T[Field] | undefined },
): WebhookEvent["changes"] {
  const different = Object.entries(changes).filter(
    ([field, to]) => to !== undefined && to !== before[field as keyof T],
  );
  if (different.length === 0) return undefined;
  return Object.fromEntries(different.map(([field, to]) => [field, { from: before[field as keyof T], to }]));
}

/** Queues the event of an object that is about to be deleted, with its last state. */
export async function noteDeletion(
  tx: Tx,
  { kind, id, projectId }: { kind: "report" | "issue" | "epic" | "sprint"; id: number; projectId: number },
): Promise<void> {
  await queueWebhookEvents(tx, { projectId, actorId: currentOrigin().actor_id }, async () => {
    const data = (await readers.get(kind)?.(tx, projectId, [id]))?.get(id);
    return data ? [{ type: `${kind}.deleted` as WebhookEventName, kind, id, data }] : [];
  });
}

async function queueNoted(tx: Tx): Promise<void> {
  const changes = noted.get(tx) ?? [];
  noted.delete(tx);
  const projects = await findProjects(tx, changes);
  for (const [projectId, ofProject] of projects)
    await queueWebhookEvents(tx, { projectId, actorId: currentOrigin().actor_id }, () =>
      readObjects(tx, projectId, ofProject),
    );
}

/** The changes by project, without those of projects that have no webhook. */
async function findProjects(tx: Tx, changes: Noted[]): Promise<Map<number, Noted[]>> {
  const byProject = new Map<number, Noted[]>();
  for (const kind of new Set(changes.map((change) => change.kind))) {
    const ofKind = changes.filter((change) => change.kind === kind);
    const { rows } = await sql<{ id: number; project_id: number }>`
      select t.id, t.project_id from ${sql.table(TABLES[kind])} t join projects p on p.id = t.project_id
      where t.id = any(${ofKind.map(({ id }) => id)}::bigint[]) and exists (
        select from webhooks w where w.workspace_id = p.workspace_id and w.active
          and (w.project_id is null or w.project_id = p.id))`.execute(tx);
    const projectOf = new Map(rows.map(({ id, project_id }) => [id, project_id]));
    for (const change of ofKind) {
      const projectId = projectOf.get(change.id);
      if (projectId === undefined) continue;
      const same = byProject.get(projectId);
      if (same) same.push(change);
      else byProject.set(projectId, [change]);
    }
  }
  return byProject;
}

async function readObjects(tx: Tx, projectId: number, changes: Noted[]): Promise<WebhookEvent[]> {
  const found = new Map<Kind, Map<number, object>>();
  for (const kind of new Set(changes.map((change) => change.kind))) {
    const ids = changes.filter((change) => change.kind === kind).map(({ id }) => id);
    const objects = await readers.get(kind)?.(tx, projectId, [...new Set(ids)]);
    if (objects) found.set(kind, objects);
  }
  return changes.flatMap((change) => {
    const data = found.get(change.kind)?.get(change.id);
    return data ? [{ ...change, data }] : [];
  });
}
