import { sql } from "kysely";
import { cutCodePoints } from "../../../shared/text.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { queueMails, type NewMail } from "../../mail/queue-mail.ts";

/** Groups that a digest lists. It only counts the others. */
const LISTED = 10;

/**
 * A project's watchers get at most one email about new groups in this time. A last email further in the future means that
 * the clock was set back.
 */
const THROTTLE = sql`interval '1 minute'`;

/** Projects that one call handles; the next call handles the others. */
const PROJECTS_AT_ONCE = 100;

/**
 * Queues an email for each project with new error groups, unless it got one in the last minute: about the single new
 * group, or a digest of several. Ingestion records new groups in `new_error_groups`. Any number of processes may call this
 * every second.
 */
export async function queueErrorGroupDigests(db: Db): Promise<void> {
  const { rows } = await sql<{ project_id: number }>`
    select distinct n.project_id from new_error_groups n
    join projects p on p.id = n.project_id and p.deleted_at is null
    left join error_group_digests d on d.project_id = n.project_id
    where (d.queued_at between clock_timestamp() - ${THROTTLE} and clock_timestamp() + ${THROTTLE}) is not true
    limit ${PROJECTS_AT_ONCE}`.execute(db);
  for (const { project_id } of rows) await queueDigest(db, project_id);
}

async function queueDigest(db: Db, projectId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await claimDigest(tx, projectId))) return;
    const project = await tx
      .selectFrom("projects")
      .select(["id", "workspace_id", "key", "name"])
      .where("id", "=", projectId)
      .executeTakeFirst();
    const groups = await takeNewGroups(tx, projectId);
    const [first] = groups;
    if (!project || !first) return;
    const mail = groups.length === 1 ? singleMail(project, first) : digestMail(project, groups);
    const { id, workspace_id } = project;
    const users = await watchersToMail(tx, { id, workspace_id });
    await queueMails(
      tx,
      users.map((user_id) => ({
        ...mail,
        workspace_id,
        user_id,
        preference: "notify_error_activity_email" as const,
      })),
    );
  });
}

/** The update of this row enforces the throttle and locks out other processes. */
async function claimDigest(tx: Tx, projectId: number): Promise<boolean> {
  const { rows } = await sql`
    insert into error_group_digests as d (project_id, queued_at)
    select id, clock_timestamp() from projects where id = ${projectId} and deleted_at is null
    on conflict (project_id) do update set queued_at = excluded.queued_at
      where d.queued_at not between excluded.queued_at - ${THROTTLE} and excluded.queued_at + ${THROTTLE}
    returning project_id`.execute(tx);
  return rows.length > 0;
}

type NewGroup = { id: number; exception_class: string; latest_message: string; environment: string };

async function takeNewGroups(tx: Tx, projectId: number): Promise<NewGroup[]> {
  const { rows } = await sql<NewGroup>`
    with taken as (
      delete from new_error_groups where project_id = ${projectId} returning error_group_id
    )
    select g.id, g.exception_class, left(g.latest_message, 1000) as latest_message, g.environment
    from error_groups g join taken t on t.error_group_id = g.id order by g.id`.execute(tx);
  return rows;
}

/** The project's report watchers who may read error groups and want email about them. */
async function watchersToMail(tx: Tx, project: { id: number; workspace_id: number }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from report_watchers w
    join users u on u.id = w.user_id
    join workspaces ws on ws.id = ${project.workspace_id} and ws.error_tracking_enabled
    where w.project_id = ${project.id} and u.notify_error_activity_email and u.email_notifications_enabled
      and u.id in (${usersReading(project, "error_group")})
    order by u.id`.execute(tx);
  return rows.map((row) => row.id);
}

type Project = { key: string; name: string };
type Mail = Pick<NewMail, "subject" | "lines" | "button">;

function singleMail(project: Project, group: NewGroup): Mail {
  return {
    subject: `[${project.key}] New error: ${cut(group.exception_class, 150)}`,
    lines: [
      `A new error occurred in ${project.name} (${group.environment}).`,
      `${cut(group.exception_class, 255)}: ${cut(group.latest_message, 500)}`,
    ],
    button: { label: "Open the error", path: `/projects/${project.key}/errors/${group.id}` },
  };
}

function digestMail(project: Project, groups: NewGroup[]): Mail {
  const listed = groups.slice(0, LISTED).map((group) => {
    const text = `${cut(group.exception_class, 100)}: ${cut(group.latest_message, 150)}`;
    return `• ${text} (${group.environment})`;
  });
  const more = groups.length - listed.length;
  return {
    subject: `[${project.key}] ${groups.length} new errors`,
    lines: [
      `${groups.length} new errors occurred in ${project.name}.`,
      listed.join("\n"),
      ...(more > 0 ? [`And ${more} more.`] : []),
    ],
    button: { label: "Open the errors", path: `/projects/${project.key}/errors` },
  };
}

/** One line of at most `max` code points, not counting the ellipsis. */
function cut(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const short = cutCodePoints(line, max);
  return short === line ? line : `${short}…`;
}
