import { hash } from "node:crypto";
import { sql } from "kysely";
import { cutCodePoints } from "../../../../shared/cut-code-points.ts";
import type { Db } from "../../../db/connect.ts";
import { digest } from "../../../ingest/read/own-fingerprint.ts";
import { groupOf, keyOf } from "../../../ingest/store/group-identity.ts";
import type { ImportedComment, ImportedErrorGroup, ImportItem, LeftOut } from "./item.ts";
import type { ImportTarget } from "./import-target.ts";

/** `seen`: the keys of earlier batches of the same run. */
export type Batch = { items: ImportItem[]; seen: ReadonlySet<string> };

/** An object to create. `groupKey` identifies an error group. */
export type PlannedItem<Item = ImportItem> = {
  item: Item;
  sourceId: string;
  groupKey: Buffer | null;
};

/** An object that exists, with the comments that it lacks. `objectId` is null if it is to be remembered as imported. */
export type KnownItem = {
  item: ImportItem;
  sourceId: string;
  objectId: number | null;
  target: { issue_id: number | null; report_id: number | null; error_group_id: number | null };
  comments: ImportedComment[];
};

/** What is to be done with a batch, decided alike for the dry run and the run. */
export type Plan = {
  created: PlannedItem[];
  known: KnownItem[];
  leftOut: LeftOut[];
  alreadyThere: number;
  commentCount: number;
  keys: string[];
};

/** Recognizes the objects and comments that are there already. */
export async function planBatch(db: Db, target: ImportTarget, { items, seen }: Batch): Promise<Plan> {
  const plan: Plan = { created: [], known: [], leftOut: [], alreadyThere: 0, commentCount: 0, keys: [] };
  const planned = items.map((item): PlannedItem => ({
    item,
    sourceId: sourceIdOf(item),
    groupKey: item.item === "error_group" ? groupKeyOf(target.project.id, item) : null,
  }));
  const objects = await readKnownObjects(db, target, planned);
  const groups = await readKnownGroups(db, planned);
  const inBatch = new Set<string>();
  for (const one of planned) {
    const { item, sourceId, groupKey } = one;
    const keys = [`id ${sourceId}`, ...(groupKey === null ? [] : [`group ${groupKey.toString("base64")}`])];
    const object = objects.get(sourceId);
    const groupId = groupKey === null ? undefined : groups.get(groupKey.toString("base64"));
    const isRepeated = keys.some((key) => inBatch.has(key) || seen.has(key));
    if (!isRepeated && object === undefined && isExpired(item, target.retentionDays)) {
      plan.leftOut.push(expired(item, target.retentionDays));
      continue;
    }
    for (const key of keys) inBatch.add(key);
    if (isRepeated) plan.alreadyThere++;
    else if (object !== undefined) {
      plan.alreadyThere++;
      const comments = item.comments.filter(({ ref }) => !object.comments.has(idText(ref.id)));
      plan.known.push({ item, sourceId, objectId: object.id, target: object, comments });
      plan.commentCount += comments.length;
    } else if (groupId !== undefined) {
      plan.alreadyThere++;
      const existing = { issue_id: null, report_id: null, error_group_id: groupId };
      plan.known.push({ item, sourceId, objectId: null, target: existing, comments: item.comments });
      plan.commentCount += item.comments.length;
    } else {
      plan.created.push(one);
      plan.commentCount += item.comments.length;
    }
  }
  plan.keys = [...inBatch];
  return plan;
}

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

type KnownObject = KnownItem["target"] & { id: number; comments: ReadonlySet<string> };

async function readKnownObjects(
  db: Db,
  { project, kind }: ImportTarget,
  planned: PlannedItem[],
): Promise<Map<string, KnownObject>> {
  const { rows } = await sql<KnownItem["target"] & { id: number; source_id: string; comments: string[] }>`
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
  return new Map(rows.map(({ key, id }) => [key.toString("base64"), id]));
}
