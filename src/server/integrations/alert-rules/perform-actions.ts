import { sql } from "kysely";
import type { AlertAction } from "../../../shared/alert-rules.ts";
import type { KeptFrame } from "../../../shared/kept-events.ts";
import { HttpError } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { assignUnassigned } from "../../errors/groups/assign-groups.ts";
import { ownersOfGroup } from "../../errors/groups/owners-of-group.ts";
import { promoteWithin } from "../../errors/groups/promote-group.ts";
import type { ReadFrames } from "../../errors/groups/routes.ts";
import type { ProjectRef } from "../../work/issues/references.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { readKnown } from "./check-rule.ts";

type Options = {
  retentionDays: number;
  publicUrl: () => string;
  readFrames: ReadFrames;
  signal?: AbortSignal;
};

type IssueAction = Extract<AlertAction, { to: "issue" }>;
type GroupAction = IssueAction | Extract<AlertAction, { to: "assign" }>;

/**
 * Promotes and assigns groups as rules say, each in a transaction of its own, until nothing is left or the signal is aborted. Any
 * number of processes may call this: the project's lock lets one of them take each action.
 */
export async function performActions(db: Db, options: Options): Promise<void> {
  while (!options.signal?.aborted && (await performNext(db, options)));
}

type Next = { action_id: number; group_id: number; deleted_at: string | null } & ProjectRef;

async function performNext(db: Db, options: Options): Promise<boolean> {
  const { rows } = await sql<Next>`
    select a.id as action_id, a.group_id, p.id, p.workspace_id, p.key, p.deleted_at
    from alert_actions a join error_groups g on g.id = a.group_id join projects p on p.id = g.project_id
    order by a.id limit 1`.execute(db);
  const [next] = rows;
  if (!next) return false;
  const { retentionDays, readFrames } = options;
  // Before the transaction, because reading source maps takes time.
  const frames = await readFrames({ db, retentionDays }, { projectId: next.id, groupId: next.group_id });
  try {
    await db.transaction().execute((tx) => perform(tx, next, frames, options));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // What the action needs is gone, or somebody has linked the group.
    await sql`delete from alert_actions where id = ${next.action_id}`.execute(db);
  }
  return true;
}

/** Takes the project's lock first, like all changes that create issues. */
async function perform(
  tx: Tx,
  next: Next,
  frames: readonly KeptFrame[],
  { retentionDays, publicUrl }: Options,
): Promise<void> {
  const project = { id: next.id, workspace_id: next.workspace_id, key: next.key };
  if (next.deleted_at === null) await lockProject(tx, project.id);
  const { rows } = await sql<{ group_id: number; action: GroupAction }>`
    delete from alert_actions where id = ${next.action_id} returning group_id, action`.execute(tx);
  const [taken] = rows;
  if (!taken || next.deleted_at !== null) return;
  const { group_id: groupId, action } = taken;
  if (action.to === "assign") {
    const userId = action.user_id ?? (await findOwner(tx, project.id, groupId, frames));
    if (userId !== null) await assignUnassigned(tx, project, groupId, userId);
  } else {
    const body = await withoutMissing(tx, project, action);
    const promotion = { groupId, actorId: null, body, publicUrl: publicUrl(), frames };
    await promoteWithin(tx, project, promotion, retentionDays);
  }
}

/** The first person who owns the code; null if nobody does, or only teams do. */
async function findOwner(
  tx: Tx,
  projectId: number,
  groupId: number,
  frames: readonly KeptFrame[],
): Promise<number | null> {
  const owners = await ownersOfGroup(tx, projectId, groupId, frames);
  return owners.find((owner) => "user_id" in owner)?.user_id ?? null;
}

/** The fields of the new issue, except what the project no longer has. */
async function withoutMissing(
  tx: Tx,
  project: ProjectRef,
  { lane_id, label_ids = [], assignee_id, priority }: IssueAction,
) {
  const known = await readKnown(tx, project, [
    ...(lane_id === undefined ? [] : [{ kind: "lane" as const, id: lane_id }]),
    ...(assignee_id === undefined ? [] : [{ kind: "user" as const, id: assignee_id }]),
    ...label_ids.map((id) => ({ kind: "label" as const, id })),
  ]);
  return {
    lane_id: known.has(`lane ${lane_id}`) ? lane_id : undefined,
    assignee_id: known.has(`user ${assignee_id}`) ? assignee_id : undefined,
    label_ids: label_ids.filter((id) => known.has(`label ${id}`)),
    priority,
  };
}
