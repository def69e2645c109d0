import type { QueryClient } from "@tanstack/react-query";
import { entitiesIn, idIn, mapCopies, queriesOf } from "../cache/cached-copies.ts";
import {
  type ChangedFields,
  isWaiting,
  type QueuedChange,
  queuedChanges,
  type QueuedFields,
} from "./queued-changes.ts";

type Kind = QueuedFields["kind"];

/**
 * Shows waiting changes in everything that is read while they wait, such as copies from before the page was reloaded.
 * Returns a function that stops this.
 */
export function keepShowing(client: QueryClient): () => void {
  showQueued(client);
  return client.getQueryCache().subscribe((event) => {
    const isRead = event.type === "updated" && event.action.type === "success";
    if (isRead || event.type === "added") showQueued(client, event.query.queryKey[0]);
  });
}

/** Applies the waiting changes to all copies, or to those of one kind. */
export function showQueued(client: QueryClient, only?: unknown): void {
  const byKind = Map.groupBy(queuedChanges.get().filter(isWaiting), ({ shows }) => shows.kind);
  for (const [kind, changes] of byKind) {
    if (kind === "comment" || (only !== undefined && only !== kind)) continue;
    const fields = new Map<unknown, object>();
    for (const { id, after } of changes.flatMap(itemsOf)) fields.set(id, { ...fields.get(id), ...after });
    setFields(client, kind, fields);
  }
}

/** Shows what a change has replaced, except where a later change has replaced it once more. */
export function hideChange(client: QueryClient, change: QueuedChange): void {
  const { shows } = change;
  if (shows.kind === "comment") return;
  const fields = new Map<unknown, object>();
  for (const { id, before } of shows.items) {
    const later = laterThan(change).flatMap(itemsOf);
    const isSetLater = (name: string) => later.some((item) => item.id === id && name in item.after);
    fields.set(id, Object.fromEntries(Object.entries(before).filter(([name]) => !isSetLater(name))));
  }
  setFields(client, shows.kind, fields);
  refetchChanged(client, shows);
}

/**
 * The later changes, as they are once `change` is canceled: what the next one replaces is then what the canceled one would
 * have replaced.
 */
export function withoutEarlier(change: QueuedChange): QueuedChange[] {
  const left = new Map(itemsOf(change).map(({ id, before }) => [id, new Map(Object.entries(before))]));
  return laterThan(change).flatMap((later) => {
    const { shows } = later;
    if (shows.kind === "comment" || shows.kind !== change.shows.kind) return [];
    const items = shows.items.map((item) => {
      const own = Object.entries(item.before).map(([name, value]) => {
        const earlier = left.get(item.id);
        if (!earlier?.has(name)) return [name, value];
        const original: unknown = earlier.get(name);
        earlier.delete(name);
        return [name, original];
      });
      return { ...item, before: Object.fromEntries(own) as object };
    });
    return { ...later, shows: { ...shows, items } };
  });
}

/** Marks what the change is about as stale. */
export function refetchChanged(client: QueryClient, shows: QueuedChange["shows"]): void {
  const queryKey =
    shows.kind === "comment"
      ? ["comment", shows.project_id, shows.commentable_type, shows.commentable_id]
      : [shows.kind];
  void client.invalidateQueries({ queryKey });
}

const laterThan = ({ id }: QueuedChange) =>
  queuedChanges.get().filter((change) => isWaiting(change) && change.id > id);

const itemsOf = ({ shows }: QueuedChange): readonly ChangedFields[] =>
  shows.kind === "comment" ? [] : shows.items;

function setFields(client: QueryClient, kind: Kind, fields: ReadonlyMap<unknown, object>): void {
  for (const query of queriesOf(client, kind)) {
    if (!entitiesIn(query).some((entity) => fields.has(idIn(kind, entity as never, query)))) continue;
    mapCopies<Kind>(client, query, (entity) => {
      const values = Object.entries(fields.get(idIn(kind, entity as never, query)) ?? {});
      const isSame = values.every(([name, value]) => isEqual(entity[name as keyof typeof entity], value));
      return isSame ? entity : { ...entity, ...Object.fromEntries(values) };
    });
  }
}

/** Values are JSON. */
const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
