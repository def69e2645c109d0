import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { resolveInNextRelease } from "../../errors/groups/set-status.ts";
import { moveToLaneKind } from "../../work/issues/move-to-lane-kind.ts";
import type { ProjectRef } from "../../work/issues/references.ts";
import type { NamedItem } from "./link-changes.ts";

/** Closes the issues that a keyword names, and resolves the error groups in the next release. */
export async function closeNamed(
  tx: Tx,
  project: ProjectRef,
  { named, actorName }: { named: NamedItem[]; actorName: string },
): Promise<void> {
  const closing = named.filter(({ closes }) => closes);
  const issueIds = closing.flatMap(({ issue_id }) => issue_id ?? []);
  const groupIds = closing.flatMap(({ group_id }) => group_id ?? []);
  if (closing.length === 0) return;
  // Closing issues resolves their groups, too. Lock all of them in the order in which ingestion does.
  await sql`
    select from error_groups
    where project_id = ${project.id}
      and (id = any(${groupIds}::bigint[]) or linked_issue_id = any(${issueIds}::bigint[]))
    order by key for no key update`.execute(tx);
  await moveToLaneKind(tx, project, {
    issueIds,
    from: ["backlog", "todo", "doing"],
    to: "done",
    actorName,
  });
  await resolveInNextRelease(tx, groupIds);
}

/** Moves the named issues that wait in the backlog or a lane of kind todo to the lane for work in progress. */
export async function startNamed(
  tx: Tx,
  project: ProjectRef,
  { named, actorName }: { named: NamedItem[]; actorName: string },
): Promise<void> {
  const issueIds = named.flatMap(({ issue_id }) => issue_id ?? []);
  await moveToLaneKind(tx, project, { issueIds, from: ["backlog", "todo"], to: "doing", actorName });
}
