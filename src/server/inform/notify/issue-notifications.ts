import { sql, type RawBuilder } from "kysely";
import { ASSIGNMENT, LANE_CHANGE, type NotificationType } from "../../../shared/notifications.ts";
import type { Preference } from "../../../shared/people.ts";
import type { ProjectAccess } from "../../access/project-access.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { notify, type Subject } from "./notify.ts";
import { nameOf, quoteTitle, shorten } from "./message-parts.ts";
import { autoWatch } from "../watches/watches.ts";

type IssueEvent = {
  project: ProjectAccess["project"];
  issueId: number;
  /** Null if it was not a user; then `actorName` says what it was. */
  actorId: number | null;
  actorName?: string;
};

/** The fields whose changes cause notifications. */
type NotifiedFields = { lane_id?: number | undefined; assignee_id?: number | null | undefined };

/** The creator starts watching the issue if their preference says so. The assignee is notified. */
export async function notifyNewIssue(tx: Tx, event: IssueEvent, assigneeId?: number): Promise<void> {
  if (event.actorId !== null)
    await autoWatch(tx, event.project, {
      issueId: event.issueId,
      userId: event.actorId,
      occasion: "auto_watch_on_create",
    });
  if (assigneeId !== undefined) await notifyAssignment(tx, event, assigneeId);
}

/**
 * Notifies about a new lane and a new assignee. The lane comes first, while the new assignee does not yet watch the issue
 * because of the assignment, so that they are notified of the assignment only.
 */
export async function notifyIssueChanges(
  tx: Tx,
  event: IssueEvent,
  before: NotifiedFields,
  after: NotifiedFields,
): Promise<void> {
  if (after.lane_id !== undefined && after.lane_id !== before.lane_id)
    await notifyLaneChange(tx, event, after.lane_id);
  if (after.assignee_id === undefined || after.assignee_id === before.assignee_id) return;
  if (before.assignee_id) await notifyUnassignment(tx, event, before.assignee_id);
  if (after.assignee_id) await notifyAssignment(tx, event, after.assignee_id);
}

/** The assignee starts watching the issue if their preference says so, even if they assigned it to themselves. */
async function notifyAssignment(tx: Tx, event: IssueEvent, assigneeId: number): Promise<void> {
  await autoWatch(tx, event.project, {
    issueId: event.issueId,
    userId: assigneeId,
    occasion: "auto_watch_on_assigned",
  });
  const message = (actor: string, issue: string) => `${actor} assigned ${issue} to you`;
  await notifyAboutIssue(tx, event, {
    type: ASSIGNMENT,
    preference: "notify_assignment",
    message,
    recipients: one(assigneeId),
  });
}

/** Does not change whether the previous assignee watches the issue. */
async function notifyUnassignment(tx: Tx, event: IssueEvent, previousId: number): Promise<void> {
  const message = (actor: string, issue: string) => `${actor} unassigned you from ${issue}`;
  await notifyAboutIssue(tx, event, {
    type: ASSIGNMENT,
    preference: "notify_assignment",
    message,
    recipients: one(previousId),
  });
}

async function notifyLaneChange(tx: Tx, event: IssueEvent, laneId: number): Promise<void> {
  const { name } = await tx
    .selectFrom("lanes")
    .select("name")
    .where("id", "=", laneId)
    .executeTakeFirstOrThrow();
  const message = (actor: string, issue: string) => `${actor} moved ${issue} to ${shorten(name)}`;
  const recipients = sql`select user_id, 1 from issue_watchers where issue_id = ${event.issueId}`;
  await notifyAboutIssue(tx, event, {
    type: LANE_CHANGE,
    preference: "notify_watched_activity_email",
    message,
    recipients,
  });
}

const one = (userId: number) => sql`select ${userId}::bigint, 1`;

type Message = {
  type: NotificationType;
  preference: Preference;
  message: (actor: string, issue: string) => string;
  recipients: RawBuilder<unknown>;
};

async function notifyAboutIssue(
  tx: Tx,
  { project, issueId, actorId, actorName = "Someone" }: IssueEvent,
  { type, preference, message, recipients }: Message,
): Promise<void> {
  const { subject, description, path } = await describeIssue(tx, project, issueId);
  const actor = (await nameOf(tx, actorId)) ?? actorName;
  await notify(tx, {
    subject,
    actorId,
    recipients,
    allowed: usersReading(project, "issue"),
    notices: [
      {
        type,
        message: message(actor, description),
        preference,
        button: { label: `Open ${subject.issue.key}`, path },
      },
    ],
  });
}

/** The subject of a notification, its name in the message, and the path of its page. */
export type Described = { subject: Subject; description: string; path: string };

export async function describeIssue(
  tx: Tx,
  project: ProjectAccess["project"],
  issueId: number,
): Promise<Described & { subject: Required<Pick<Subject, "issue">> }> {
  const { number, title } = await tx
    .selectFrom("issues")
    .select(["number", "title"])
    .where("project_id", "=", project.id)
    .where("id", "=", issueId)
    .executeTakeFirstOrThrow();
  const key = `${project.key}-${number}`;
  return {
    subject: {
      workspace_id: project.workspace_id,
      project_id: project.id,
      issue: { id: issueId, key, title },
    },
    description: `${key} ${quoteTitle(title)}`,
    path: `/projects/${project.key}/issues/${key}`,
  };
}
