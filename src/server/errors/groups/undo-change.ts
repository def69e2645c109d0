import { sql } from "kysely";
import { ERROR_ASSIGNED } from "../../../shared/notifications.ts";
import type { UndoRefusal } from "../../../shared/error-group-work.ts";
import type { UndoneChange } from "../../../shared/error-groups.ts";
import { projectsWhere } from "../../access/access-queries.ts";
import type { Caller } from "../../access/caller.ts";
import { notFound } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";
import { noteChange } from "../../record/changed-objects.ts";
import { announce, announceErrorGroups } from "../../record/live-changes.ts";
import { UNDO_MINUTES } from "../../work/lifecycle/keep-for-undo.ts";
import { LINK_KINDS, restoreGroups, STATUS_KINDS } from "../../work/lifecycle/restore-groups.ts";
import { readListItems } from "./list-items.ts";
import { verifyAfterUndo } from "./verify-fixes.ts";
import type { ErrorDb } from "./error-db.ts";

/**
 * Returns the groups of a change to what they were before it, and removes what the change added: history entries, watches,
 * unread notifications, and the release that only its resolution named. Leaves groups whose status, assignee or link has changed
 * again since. 404 if the caller made no such change within the last ten minutes, or has already undone it.
 */
export async function undoChange(errorDb: ErrorDb, caller: Caller, changeId: string): Promise<UndoneChange> {
  return errorDb.db.transaction().execute(async (tx) => {
    const permitted = await lockGroups(tx, caller, changeId);
    // A statement of its own: it sees what was committed before the locks were granted.
    const steps = await readSteps(tx, caller.user_id, changeId);
    if (steps.length === 0) throw notFound("There is no change that can be undone.");
    const refusalOf = (step: Step) => (permitted.has(step.group_id) ? step.refusal : "not_permitted");
    const undone = steps.filter((step) => refusalOf(step) === null);
    await withdrawNotifications(tx, caller.user_id, undone);
    await restoreGroups(
      tx,
      undone.map(({ activity_id }) => activity_id),
    );
    await noteRestored(tx, undone);
    await removeUnusedReleases(tx, undone);
    await touchIssues(tx, undone);
    await verifyAfterUndo(
      tx,
      undone.map(({ group_id }) => group_id),
    );
    await announceErrorGroups(
      tx,
      undone.map(({ group_id, project_id }) => ({ id: group_id, project_id })),
    );
    return {
      data: await readListItems(
        { ...errorDb, db: tx },
        undone.map(({ group_id }) => group_id),
      ),
      refused: steps.flatMap((step) => {
        const reason = refusalOf(step);
        return reason === null ? [] : [{ error_group_id: step.group_id, reason }];
      }),
    };
  });
}

const CHANGES_OF_STATUS = new Set(["resolved", "reopened", "ignored", "snoozed"]);
/** By status. */
const RESTORED = ["error_group.reopened", "error_group.resolved", "error_group.ignored"] as const;

/** Notes the status of each group whose change of the status was undone. */
async function noteRestored(tx: Tx, undone: Step[]): Promise<void> {
  const ids = undone.filter(({ kind }) => CHANGES_OF_STATUS.has(kind)).map(({ group_id }) => group_id);
  const groups =
    ids.length === 0
      ? []
      : await tx.selectFrom("error_groups").select(["id", "status"]).where("id", "in", ids).execute();
  for (const { id, status } of groups) {
    const type = RESTORED[status];
    if (type) noteChange(tx, { type, kind: "error_group", id });
  }
}

/** Locks the groups that the caller may change, in the same order as ingestion, after the projects of changed links. */
async function lockGroups(tx: Tx, caller: Caller, changeId: string): Promise<Set<number>> {
  const undos = sql`error_group_undos u where u.user_id = ${caller.user_id} and u.change_id = ${changeId}::uuid`;
  await sql`
    select from projects where deleted_at is null and id in (
      select g.project_id from error_groups g
      where g.id in (select u.group_id from ${undos} and u.before ? 'linked_at'))
    order by id for no key update`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    select g.id from error_groups g
    where g.id in (select u.group_id from ${undos})
      and g.project_id in (${projectsWhere(caller, "error-groups:update", "error_tracking")})
    order by g.key for no key update of g`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

type Step = {
  activity_id: number;
  group_id: number;
  project_id: number;
  watcher_id: number | null;
  kind: string;
  /** The issues that the group was and is linked to, if the link was changed. */
  issue_ids: number[];
  /** The release that the resolution named. */
  named_release: string | null;
  refusal: UndoRefusal | null;
};

/** One per group. A later entry of the same kind of change in its history means that it has changed since. */
async function readSteps(tx: Tx, userId: number, changeId: string): Promise<Step[]> {
  const { rows } = await sql<Step>`
    select distinct on (u.group_id) u.activity_id, u.group_id, g.project_id, u.watcher_id, a.kind,
      case when u.before ? 'linked_at' then
        array_remove(array[(u.before ->> 'linked_issue_id')::bigint, g.linked_issue_id], null) else '{}' end as issue_ids,
      case when a.kind = 'resolved' then a."to" ->> 'release' end as named_release,
      case
        when later.kind = 'regressed' then 'regressed'
        when later.kind = 'reopened' and later.actor_id is null then 'snooze_ended'
        when later.kind is not null then 'changed'
        when u.before ? 'assignee_id' and g.assignee_id is distinct from (a."to" #>> '{}')::bigint then 'changed'
        when u.before ? 'linked_at' and (g.linked_issue_id is distinct from (a."to" #>> '{}')::bigint
          or not exists (select from issues i where i.id = coalesce((u.before ->> 'linked_issue_id')::bigint, i.id)))
          then 'changed'
      end as refusal
    from error_group_undos u
    join error_group_activity a on a.id = u.activity_id
    join error_groups g on g.id = u.group_id
    left join lateral (
      select l.kind, l.actor_id from error_group_activity l
      where l.group_id = u.group_id and l.id > u.activity_id and l.kind = any(case
        when u.before ? 'status' then ${STATUS_KINDS} when u.before ? 'linked_at' then ${LINK_KINDS} else array['assigned'] end)
      order by l.id limit 1
    ) later on true
    where u.user_id = ${userId} and u.change_id = ${changeId}::uuid
      and u.created_at > now() - make_interval(mins => ${UNDO_MINUTES})
    order by u.group_id, u.activity_id desc`.execute(tx);
  return rows;
}

/** Deletes the unread notifications about assignments. */
async function withdrawNotifications(tx: Tx, userId: number, steps: Step[]): Promise<void> {
  const ids = sql`${steps.map(({ activity_id }) => activity_id)}::bigint[]`;
  const { rows } = await sql<{ id: number; project_id: number; user_id: number }>`
    delete from notifications n using error_group_activity a
    where a.id = any(${ids}) and a.kind = 'assigned' and n.error_group_id = a.group_id and n.type = ${ERROR_ASSIGNED}
      and n.user_id = (a."to" #>> '{}')::bigint and n.actor_id = ${userId} and n.created_at >= a.created_at
      and n.read_at is null
    returning n.id, n.project_id, n.user_id`.execute(tx);
  await announce(
    tx,
    rows.map((row) => ({ kind: "notification", ...row })),
  );
}

/** Locks the releases first: a resolution that names one of them may be in flight, and holds the lock until it is visible. */
async function removeUnusedReleases(tx: Tx, steps: Step[]): Promise<void> {
  const named = steps.flatMap(({ project_id, named_release: version }) =>
    version === null ? [] : [{ project_id, version }],
  );
  if (named.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    select r.id from releases r where r.first_seen_at is null and (r.project_id, r.version_hash) in (
      select project_id, sha256(convert_to(version, 'UTF8'))
      from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as one (project_id bigint, version text))
    order by r.id for update`.execute(tx);
  await sql`
    delete from releases r where r.id = any(${rows.map(({ id }) => id)}::bigint[]) and r.first_seen_at is null
      and not exists (select from release_deploys d where d.release_id = r.id)
      and not exists (select from release_groups o where o.release_id = r.id and o.kind <> 'resolved')
      and not exists (select from error_groups g
        where g.project_id = r.project_id and g.status = 1 and g.resolved_in_release = r.version)
      -- An earlier resolution may have named it, whose history shows it.
      and not exists (select from error_groups g join error_group_activity a on a.group_id = g.id
        where g.project_id = r.project_id and a.kind = 'resolved' and a."to" ->> 'release' = r.version)`.execute(
    tx,
  );
}

/** The pages of the issues list their groups. */
async function touchIssues(tx: Tx, steps: Step[]): Promise<void> {
  const ids = steps.flatMap(({ issue_ids }) => issue_ids);
  if (ids.length === 0) return;
  await sql`
    update issues set updated_at = clock_timestamp() where id in (
      select id from issues where id = any(${ids}::bigint[]) order by id for no key update)`.execute(tx);
}
