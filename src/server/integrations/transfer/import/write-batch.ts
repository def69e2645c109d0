import type { Tx } from "../../../db/connect.ts";
import { lockProject } from "../../../people/projects/lock-project.ts";
import type { ImportedComment, ImportItem } from "./item.ts";
import { nameOfGroup, planBatch, type Batch, type Plan, type PlannedItem } from "./plan-batch.ts";
import { rememberObjects, type ImportedRow } from "./remember-objects.ts";
import type { ImportTarget } from "./import-target.ts";
import { writeComments } from "./write-comments.ts";
import { writeErrorGroups } from "./write-error-groups.ts";
import { writeIssues } from "./write-issues.ts";
import { writeReports } from "./write-reports.ts";

/**
 * Plans a batch and writes it. The project's lock ensures that two imports at once do not create the same object twice. Statements
 * are for the whole batch, whatever its size.
 */
export async function writeBatch(tx: Tx, target: ImportTarget, batch: Batch): Promise<Plan> {
  await lockProject(tx, target.project.id);
  const plan = await planBatch(tx, target, batch);
  const created = [
    ...(await writeIssues(tx, target, ofKind(plan, "issue"))),
    ...(await writeReports(tx, target, ofKind(plan, "report"))),
    ...(await writeErrorGroups(tx, target, ofKind(plan, "error_group"))),
  ];
  const joined = joinedObjects(plan, created);
  const objectIds = await rememberObjects(tx, target, [...created, ...joined]);
  await writeComments(tx, target, [
    ...created.map((object, n) => ({
      ...object,
      objectId: objectIds[n] as number,
      comments: object.item.comments,
    })),
    ...joined.map((object, n) => ({ ...object, objectId: objectIds[created.length + n] as number })),
    ...plan.known.flatMap(({ objectId, target: row, comments }) =>
      objectId === null || row === null ? [] : { objectId, target: row, comments },
    ),
  ]);
  return plan;
}

type CommentedRow = ImportedRow & { comments: ImportedComment[] };

/** The objects that are remembered as error groups which exist, or which the batch has created. */
function joinedObjects({ known, created: planned }: Plan, created: ImportedRow[]): CommentedRow[] {
  const rows = new Map(created.map(({ sourceId, target }) => [sourceId, target]));
  const newGroups = new Map(
    planned.flatMap(({ groupKey, sourceId }) =>
      groupKey === null ? [] : [[nameOfGroup(groupKey), rows.get(sourceId)]],
    ),
  );
  return known.flatMap(({ item, sourceId, groupKey, objectId, target, comments }) => {
    if (objectId !== null) return [];
    const row = target ?? (groupKey && newGroups.get(nameOfGroup(groupKey)));
    if (!row) throw new Error("no object of the batch creates this group");
    return { item, sourceId, target: row, comments };
  });
}

const ofKind = <Kind extends ImportItem["item"]>({ created }: Plan, kind: Kind) =>
  created.filter(
    (planned): planned is PlannedItem<Extract<ImportItem, { item: Kind }>> => planned.item.item === kind,
  );
