import { sql, type RawBuilder } from "kysely";
import { COMMENT, MENTION, WORK_COMMENT } from "../../../shared/notifications.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { describeIssue, type Described } from "./issue-notifications.ts";
import { notify, type Notice, type NewNotification } from "./notify.ts";
import { excerptOf, nameOf, quoteTitle, shorten } from "./message-parts.ts";
import { autoWatchGroups } from "../watches/group-watches.ts";
import { autoWatch } from "../watches/watches.ts";
import { describeGroup } from "./describe-group.ts";

/** A comment that was just created or edited. */
export type CommentEvent = {
  project: { id: number; key: string; workspace_id: number };
  target: { kind: "issue" | "epic" | "error_group" | "report"; id: number };
  comment: { id: number; parent_id: number | null; content: string };
  /** The author, or the user who edited the comment. */
  actorId: number;
  /** After an edit: only the users whom the earlier text did not mention. */
  mentioned: number[];
};

/**
 * Notifies the mentioned users, the author of the parent comment and the watchers. Each user gets one notification: a
 * mention takes precedence over a reply, and a reply over watching. If their preference says so, the author starts watching the
 * issue or error group. Epics have no watchers. For reports, the watchers are the project's report watchers, the report's creator
 * and everyone who has commented on it.
 */
export async function notifyComment(tx: Tx, event: CommentEvent): Promise<void> {
  const { project, target, actorId } = event;
  const recipients = [mentionedPeople(event), parentAuthor(event), watchers(event)];
  await notify(tx, {
    ...(await buildNotification(tx, event)),
    recipients: sql.join(recipients, sql` union all `),
  });
  if (target.kind === "issue")
    await autoWatch(tx, project, {
      issueId: target.id,
      userId: actorId,
      occasion: "auto_watch_on_commented",
    });
  if (target.kind === "error_group") {
    const group = { id: target.id, project_id: project.id, workspace_id: project.workspace_id };
    await autoWatchGroups(tx, [group], actorId, "auto_watch_on_commented");
  }
}

/**
 * Notifies the newly mentioned users only. If a user already has a notification for the comment, that notification
 * becomes an unread mention.
 */
export async function notifyEditedComment(tx: Tx, event: CommentEvent): Promise<void> {
  if (event.mentioned.length === 0) return;
  const comment = { id: event.comment.id, isEdited: true };
  await notify(tx, { ...(await buildNotification(tx, event)), recipients: mentionedPeople(event), comment });
}

/** What the author of a report, who has no account, has written to the team. */
export type ReporterMessageEvent = {
  project: CommentEvent["project"];
  reportId: number;
  comment: { id: number; content: string };
  /** Null if it is unknown. */
  author_name: string | null;
};

/** Notifies those who have commented on the report; if nobody has who may still read it, its watchers. */
export async function notifyReporterMessage(tx: Tx, event: ReporterMessageEvent): Promise<void> {
  const { project, reportId, comment, author_name } = event;
  const { subject, description, path } = await describeReport(tx, project, reportId);
  const who = author_name === null ? "The reporter" : shorten(author_name);
  const allowed = usersReading(project, "report");
  await notify(tx, {
    subject,
    actorId: null,
    allowed,
    recipients: sql`
      with commenter as (
        select distinct user_id from comments where report_id = ${reportId} and user_id in (${allowed})
      )
      select user_id, 1 from commenter
      union all
      select user_id, 1 from (${reportWatchers(project.id, reportId)}) watcher (user_id)
      where not exists (select from commenter)`,
    notices: [
      {
        type: WORK_COMMENT,
        message: `${who} wrote to you about ${description}`,
        preference: "notify_watched_activity_email",
        ...(await excerptOf(comment.content)),
        button: { label: "Open the comment", path: `${path}#comment-${comment.id}` },
      },
    ],
    comment: { id: comment.id, isEdited: false },
  });
}

const reportWatchers = (projectId: number, reportId: number) => sql`
  select user_id from report_watchers where project_id = ${projectId}
  union select created_by from reports where id = ${reportId} and created_by is not null`;

const [MENTIONED, REPLIED_TO, WATCHING] = [1, 2, 3];

function mentionedPeople({ mentioned }: CommentEvent): RawBuilder<unknown> {
  return sql`select user_id, ${MENTIONED}::int from unnest(${mentioned}::bigint[]) as user_id`;
}

function parentAuthor({ comment }: CommentEvent): RawBuilder<unknown> {
  return sql`select user_id, ${REPLIED_TO}::int from comments where id = ${comment.parent_id}::bigint`;
}

function watchers({ project, target: { kind, id } }: CommentEvent): RawBuilder<unknown> {
  const watchersByKind = {
    issue: sql`select user_id from issue_watchers where issue_id = ${id}`,
    epic: sql`select null::bigint where false`,
    error_group: sql`select user_id from error_group_watchers where group_id = ${id}`,
    report: sql`
      ${reportWatchers(project.id, id)}
      union select user_id from comments where report_id = ${id}`,
  };
  return sql`select user_id, ${WATCHING}::int from (${watchersByKind[kind]}) watcher (user_id)`;
}

async function buildNotification(tx: Tx, event: CommentEvent): Promise<Omit<NewNotification, "recipients">> {
  const { project, comment, actorId, target } = event;
  const who = (await nameOf(tx, actorId)) ?? "Someone";
  const { subject, description, path } = await describeTarget(tx, event);
  const words = await excerptOf(comment.content);
  const isBasic = target.kind === "issue" || target.kind === "epic";
  const notice = (type: typeof MENTION | typeof COMMENT, message: string): Notice => ({
    type: isBasic ? type : WORK_COMMENT,
    message,
    preference: type === MENTION ? "notify_mentions" : "notify_watched_activity_email",
    ...words,
    button: { label: "Open the comment", path: `${path}#comment-${comment.id}` },
  });
  return {
    subject,
    actorId,
    allowed: usersReading(project, target.kind),
    notices: [
      notice(MENTION, `${who} mentioned you on ${description}`),
      notice(COMMENT, `${who} replied to your comment on ${description}`),
      notice(COMMENT, `${who} commented on ${description}`),
    ],
    comment: { id: comment.id, isEdited: false },
  };
}

/** Notifications cannot refer to an epic. They refer to its project, and the message names the epic. */
async function describeTarget(tx: Tx, { project, target }: CommentEvent): Promise<Described> {
  if (target.kind === "issue") return describeIssue(tx, project, target.id);
  if (target.kind === "error_group") return describeGroup(tx, project, target.id);
  if (target.kind === "report") return describeReport(tx, project, target.id);
  const { title } = await tx
    .selectFrom("epics")
    .select("title")
    .where("project_id", "=", project.id)
    .where("id", "=", target.id)
    .executeTakeFirstOrThrow();
  return {
    subject: { workspace_id: project.workspace_id, project_id: project.id, epic_id: target.id },
    description: `the epic ${quoteTitle(title)}`,
    path: `/projects/${project.key}/epics/${target.id}`,
  };
}

async function describeReport(
  tx: Tx,
  project: CommentEvent["project"],
  reportId: number,
): Promise<Described> {
  const { title } = await tx
    .selectFrom("reports")
    .select("title")
    .where("project_id", "=", project.id)
    .where("id", "=", reportId)
    .executeTakeFirstOrThrow();
  return {
    subject: {
      workspace_id: project.workspace_id,
      project_id: project.id,
      report_id: reportId,
      thing: { title, text: null },
    },
    description: `the report ${quoteTitle(title)}`,
    path: `/projects/${project.key}/reports/${reportId}`,
  };
}
