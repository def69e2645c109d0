import { hash } from "node:crypto";
import { sql } from "kysely";
import { cutCodePoints } from "../../../../shared/cut-code-points.ts";
import type { Db } from "../../../db/connect.ts";
import { digest } from "../../../ingest/read/own-fingerprint.ts";
import { groupOf, keyOf } from "../../../ingest/store/group-identity.ts";
import type { ImportedComment, ImportedErrorGroup, ImportItem, LeftOut } from "./item.ts";
import type { ImportTarget } from "./import-target.ts";

/** `seen`: the ids of earlier batches of the same run and, in a dry run, the keys of their new error groups. */
export type Batch = { items: ImportItem[]; seen: ReadonlySet<string> };

/** An object to create. `groupKey` identifies an error group. */
export type PlannedItem<Item = ImportItem> = {
  item: Item;
  sourceId: string;
  groupKey: Buffer | null;
};

/** The row that an object has become: one of them is set. */
export type RowOf = { issue_id: number | null; report_id: number | null; error_group_id: number | null };

/**
 * An object that exists, with the comments that it lacks. `objectId` is null if it is to be remembered as imported: an error group
 * with the same key exists. `target` is null if an earlier item of the batch creates that group.
 */
export type KnownItem = {
  item: ImportItem;
  sourceId: string;
  groupKey: Buffer | null;
  objectId: number | null;
  target: RowOf | null;
  comments: ImportedComment[];
};

/** What is to be done with a batch, decided alike for the dry run and the run. */
export type Plan = {
  created: PlannedItem[];
  known: KnownItem[];
  leftOut: LeftOut[];
  alreadyThere: number;
  commentCount: number;
  ids: ReadonlySet<string>;
  newGroups: ReadonlySet<string>;
};

/** Recognizes the objects and comments that are there already. */
export async function planBatch(db: Db, target: ImportTarget, { items, seen }: Batch): Promise<Plan> {
  const [ids, newGroups] = [new Set<string>(), new Set<string>()];
  const plan: Plan = {
    created: [],
    known: [],
    leftOut: [],
    alreadyThere: 0,
    commentCount: 0,
    ids,
    newGroups,
  };
  const planned = items.map((item): PlannedItem => ({
    item,
    sourceId: sourceIdOf(item),
    groupKey: item.item === "error_group" ? groupKeyOf(target.project.id, item) : null,
  }));
  const objects = await readKnownObjects(db, target, planned);
  const groups = await readKnownGroups(db, planned);
  for (const one of planned) {
    const { item, sourceId, groupKey } = one;
    const id = `id ${sourceId}`;
    if (ids.has(id) || seen.has(id)) {
      plan.alreadyThere++;
      continue;
    }
    const object = objects.get(sourceId);
    const group = groupKey === null ? null : nameOfGroup(groupKey);
    const groupId = group === null ? undefined : groups.get(group);
    if (object === undefined && isExpired(item, target.retentionDays)) {
      plan.leftOut.push(expired(item, target.retentionDays));
      continue;
    }
    ids.add(id);
    if (object !== undefined) {
      const comments = item.comments.filter(({ ref }) => !object.comments.has(idText(ref.id)));
      plan.known.push({ item, sourceId, groupKey, objectId: object.id, target: object, comments });
    } else if (group !== null && (groupId !== undefined || newGroups.has(group) || seen.has(group))) {
      const row = groupId === undefined ? null : { issue_id: null, report_id: null, error_group_id: groupId };
      plan.known.push({ item, sourceId, groupKey, objectId: null, target: row, comments: item.comments });
    } else {
      plan.created.push(one);
      if (group !== null) newGroups.add(group);
    }
  }
  plan.alreadyThere += plan.known.length;
  plan.commentCount = [...plan.created.map(({ item }) => item), ...plan.known].reduce(
    (sum, { comments }) => sum + comments.length,
    0,
  );
  return plan;
}

/** Identifies an error group in maps and sets. */
export const nameOfGroup = (key: Buffer): string => `group ${key.toString("base64")}`;

/** Ids are usually short. The hash of a longer one keeps index entries small. */
export const idText = (id: string): string => {
  const text = id.toWellFormed().replaceAll("\0", "");
  return text.length <= 200 ? text : `sha256 ${hash("sha256", text)}`;
};

const sourceIdOf = ({ ref }: ImportItem) => idText(ref.id);

/** An event gives the key that later events have. Otherwise the program's class and message are all there is. */
function groupKeyOf(projectId: number, item: ImportedErrorGroup): Buffer {
  const identity = item.event ?? {
    fingerprint: digest(`imported ${JSON.stringify([item.exception_class, item.message])}`),
    environment: environmentOf(item),
  };
  return keyOf(groupOf(projectId, identity));
}

const MAX_ENVIRONMENT = 255;

/** The environment of a group without an event. */
export const environmentOf = ({ environment }: ImportedErrorGroup): string =>
  cutCodePoints(environment?.toWellFormed().replaceAll("\0", "") || "production", MAX_ENVIRONMENT);

const DAY_MS = 86_400_000;

const isExpired = (item: ImportItem, days: number) =>
  item.item === "error_group" && Date.parse(item.last_seen_at) < Date.now() - days * DAY_MS;

const expired = ({ where }: ImportItem, days: number): LeftOut => ({
  item: "left_out",
  where,
  reason: `It was last seen more than ${days} days ago, which is how long this server keeps error groups.`,
});

type KnownObject = RowOf & { id: number; comments: ReadonlySet<string> };

async function readKnownObjects(
  db: Db,
  { project, kind }: ImportTarget,
  planned: PlannedItem[],
): Promise<Map<string, KnownObject>> {
  const { rows } = await sql<RowOf & { id: number; source_id: string; comments: string[] }>`
    select o.id, o.source_id, o.issue_id, o.report_id, o.error_group_id,
      array(select c.source_id from imported_comments c where c.object_id = o.id) as comments
    from imported_objects o
    where o.project_id = ${project.id} and o.kind = ${kind}
      and o.source_id = any(${planned.map(({ sourceId }) => sourceId)}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.source_id, { ...row, comments: new Set(row.comments) }]));
}

/** Groups with the same fingerprint that events created here, or into which such a group was merged. */
async function readKnownGroups(db: Db, planned: PlannedItem[]): Promise<Map<string, number>> {
  const keys = planned.flatMap(({ groupKey }) => groupKey ?? []);
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{ key: Buffer; id: number }>`
    select key, id from error_groups where key = any(${keys}::bytea[])
    union all
    select key, group_id from error_group_aliases where key = any(${keys}::bytea[])`.execute(db);
  return new Map(rows.map(({ key, id }) => [nameOfGroup(key), id]));
}
