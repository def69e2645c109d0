import type { Tx } from "../../../db/connect.ts";
import { lockProject } from "../../../people/projects/lock-project.ts";
import type { ImportItem } from "./item.ts";
import { planBatch, type Batch, type Plan, type PlannedItem } from "./plan-batch.ts";
import { rememberObjects } from "./remember-objects.ts";
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
  const joined = plan.known.filter(({ objectId }) => objectId === null);
  const objectIds = await rememberObjects(tx, target, [...created, ...joined]);
  await writeComments(tx, target, [
    ...created.map((object, n) => ({
      ...object,
      objectId: objectIds[n] as number,
      comments: object.item.comments,
    })),
    ...joined.map((object, n) => ({ ...object, objectId: objectIds[created.length + n] as number })),
    ...plan.known.flatMap((object) =>
      object.objectId === null ? [] : { ...object, objectId: object.objectId },
    ),
  ]);
  return plan;
}

const ofKind = <Kind extends ImportItem["item"]>({ created }: Plan, kind: Kind) =>
  created.filter(
    (planned): planned is PlannedItem<Extract<ImportItem, { item: Kind }>> => planned.item.item === kind,
  );
