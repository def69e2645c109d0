import { type QueryClient, replaceEqualDeep } from "@tanstack/react-query";
import {
  entitiesIn,
  type Entities,
  type Id,
  idIn,
  type Kind,
  mapCopies,
  queriesOf,
} from "./cached-copies.ts";

/** Fields to set, or a function that computes them; `all` is the list that the copy is in. */
export type Change<E> = Partial<E> | ((entity: E, all: readonly E[]) => Partial<E>);

/** Takes a patch back, for all of its entities or only some. Calling it again does nothing. */
export type Undo = (only?: ReadonlySet<Id>) => void;

type FieldChange = { from: unknown; to: unknown };

type Patch = {
  /** By query hash, entity and field. */
  changed: Map<string, Map<Id, Map<string, FieldChange>>>;
  /** The patch made after this one, of any entity. */
  later: Patch | undefined;
};

/** Only the newest patch is kept here; older ones live as long as their undo function. */
const newest = new WeakMap<QueryClient, Patch>();

/**
 * Changes every cached copy of one or several entities. The returned function restores exactly the fields that this
 * patch changed: a field that a later patch or a refetch has changed since keeps its newer value.
 */
export function patchEverywhere<K extends Kind>(
  client: QueryClient,
  kind: K,
  ids: Id | ReadonlySet<Id>,
  change: Change<Entities[K]>,
): Undo {
  const wanted = typeof ids === "object" ? ids : new Set([ids]);
  const patch: Patch = { changed: new Map(), later: undefined };
  const previous = newest.get(client);
  if (previous) previous.later = patch;
  newest.set(client, patch);

  for (const query of queriesOf(client, kind)) {
    const changedHere = new Map<Id, Map<string, FieldChange>>();
    const all = entitiesIn<K>(query);
    mapCopies<K>(client, query, (entity) => {
      const id = idIn(kind, entity, query);
      if (!wanted.has(id)) return entity;
      const fields = changedFields(entity, typeof change === "function" ? change(entity, all) : change);
      if (fields.size === 0) return entity;
      changedHere.set(id, fields);
      return { ...entity, ...valuesOf(fields, "to") };
    });
    if (changedHere.size > 0) patch.changed.set(query.queryHash, changedHere);
  }
  return (only = wanted) => undo(client, kind, patch, only);
}

function undo(client: QueryClient, kind: Kind, patch: Patch, only: ReadonlySet<Id>): void {
  for (const [hash, entities] of patch.changed) {
    const undone = [...entities].filter(([id]) => only.has(id));
    for (const [id] of undone) entities.delete(id);
    const query = client.getQueryCache().get(hash);
    if (query?.state.data === undefined) continue;
    const restored = new Map(undone.map(([id, fields]) => [id, notChangedSince(patch, hash, id, fields)]));
    mapCopies<Kind>(client, query, (entity) => {
      const fields = restored.get(idIn(kind, entity, query));
      const current = [...(fields ?? [])].filter(([name, { to }]) =>
        isEqual((entity as Record<string, unknown>)[name], to),
      );
      return current.length === 0 ? entity : { ...entity, ...valuesOf(current, "from") };
    });
  }
}

/**
 * The fields that no later patch has changed. A later patch of a field stays in effect, and now restores the value from
 * before both patches if it is undone itself.
 */
function notChangedSince(patch: Patch, hash: string, id: Id, fields: Map<string, FieldChange>) {
  return [...fields].filter(([name, { from, to }]) => {
    for (let { later } = patch; later !== undefined; { later } = later) {
      const field = later.changed.get(hash)?.get(id)?.get(name);
      if (field === undefined) continue;
      if (isEqual(field.from, to)) field.from = from;
      return false;
    }
    return true;
  });
}

function changedFields<E extends object>(entity: E, values: Partial<E>): Map<string, FieldChange> {
  const fields = new Map<string, FieldChange>();
  for (const [name, to] of Object.entries(values)) {
    const from: unknown = entity[name as keyof E];
    if (!isEqual(from, to)) fields.set(name, { from, to });
  }
  return fields;
}

const valuesOf = (fields: Iterable<[string, FieldChange]>, which: keyof FieldChange) =>
  Object.fromEntries([...fields].map(([name, field]) => [name, field[which]]));

/** Values are JSON; the cache may have copied them. */
const isEqual = (a: unknown, b: unknown) => replaceEqualDeep(a, b) === a;

/** Removes the entity from every cached list. A cached detail stays: its page learns from the server that it is gone. */
export function removeEverywhere(client: QueryClient, kind: Kind, id: Id): void {
  for (const query of queriesOf(client, kind))
    mapCopies(client, query, (entity) => (idIn(kind, entity, query) === id ? undefined : entity));
}
