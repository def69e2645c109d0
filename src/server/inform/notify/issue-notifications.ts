import { sql } from "kysely";
import { ASSIGNMENT, LANE_CHANGE, type NotificationType } from "../../../shared/notifications.ts";
import type { Preference } from "../../../shared/people.ts";
import type { ProjectAccess } from "../../access/project-access.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { notify, type About } from "./notify.ts";
import { nameOf, quoted, short } from "./texts.ts";
import { autoWatch } from "../watches/watches.ts";

/** Something that was just done to an issue. */
type IssueEvent = { project: ProjectAccess["project"]; issueId: number; actorId: number };

/** What an issue's watchers and assignees may be told of: where it stood and whose it was. */
type Place = { lane_id?: number | undefined; assignee_id?: number | null | undefined };

/**
 * Whoever makes an issue comes to watch it, and whoever it is assigned to is told (service.md 6, rule 2).
 */
export async function notifyNewIssue(tx: Tx, event: IssueEvent, assigneeId?: number): Promise<void> {
  await autoWatch(tx, event.project, event.issueId, event.actorId, "auto_watch_on_create");
  if (assigneeId !== undefined) await notifyAssignment(tx, event, assigneeId);
}

/**
 * Tells of another lane and another assignee. The lane comes first: it is told to those who watched until then, so a new
 * assignee hears of the assignment alone.
 */
export async function notifyIssueChanges(
  tx: Tx,
  event: IssueEvent,
  before: Place,
  after: Place,
): Promise<void> {
  if (after.lane_id !== undefined && after.lane_id !== before.lane_id)
    await notifyLaneChange(tx, event, after.lane_id);
  if (after.assignee_id === undefined || after.assignee_id === before.assignee_id) return;
  if (before.assignee_id) await notifyUnassignment(tx, event, before.assignee_id);
  if (after.assignee_id) await notifyAssignment(tx, event, after.assignee_id);
}

/** Somebody an issue is assigned to is told, and comes to watch it, also when they took it themselves. */
export async function notifyAssignment(tx: Tx, event: IssueEvent, assigneeId: number): Promise<void> {
  await autoWatch(tx, event.project, event.issueId, assigneeId, "auto_watch_on_assigned");
  const message = (who: string, what: string) => `${who} assigned ${what} to you`;
  await tell(tx, event, { type: ASSIGNMENT, preference: "notify_assignment", message, to: one(assigneeId) });
}

/** Told once, in the inbox whatever the preferences; the previous assignee's watch stays as it is. */
export async function notifyUnassignment(tx: Tx, event: IssueEvent, previousId: number): Promise<void> {
  const message = (who: string, what: string) => `${who} unassigned you from ${what}`;
  await tell(tx, event, { type: ASSIGNMENT, preference: "notify_assignment", message, to: one(previousId) });
}

/** Another lane is told to the issue's watchers. */
export async function notifyLaneChange(tx: Tx, event: IssueEvent, laneId: number): Promise<void> {
  const { name } = await tx
    .selectFrom("lanes")
    .select("name")
    .where("id", "=", laneId)
    .executeTakeFirstOrThrow();
  const message = (who: string, what: string) => `${who} moved ${what} to ${short(name)}`;
  const to = sql`select user_id, 1 from issue_watchers where issue_id = ${event.issueId}`;
  await tell(tx, event, { type: LANE_CHANGE, preference: "notify_watched_activity_email", message, to });
}

const one = (userId: number) => sql`select ${userId}::bigint, 1`;

type News = {
  type: NotificationType;
  preference: Preference;
  message: (who: string, what: string) => string;
  to: ReturnType<typeof one>;
};

async function tell(tx: Tx, { project, issueId, actorId }: IssueEvent, news: News): Promise<void> {
  const { about, what, path } = await issueOf(tx, project, issueId);
  const message = news.message((await nameOf(tx, actorId)) ?? "Somebody", what);
  await notify(tx, {
    about,
    actorId,
    to: news.to,
    among: usersReading(project, "issue"),
    notices: [
      {
        type: news.type,
        message,
        preference: news.preference,
        button: { label: `Open ${about.issue.key}`, path },
      },
    ],
  });
}

type AboutIssue = About & Required<Pick<About, "issue">>;

/** An issue as notifications carry it, as messages call it, and where it is shown. */
export async function issueOf(
  tx: Tx,
  project: ProjectAccess["project"],
  issueId: number,
): Promise<{ about: AboutIssue; what: string; path: string }> {
  const { number, title } = await tx
    .selectFrom("issues")
    .select(["number", "title"])
    .where("project_id", "=", project.id)
    .where("id", "=", issueId)
    .executeTakeFirstOrThrow();
  const key = `${project.key}-${number}`;
  return {
    about: {
      workspace_id: project.workspace_id,
      project_id: project.id,
      issue: { id: issueId, key, title },
    },
    what: `${key} ${quoted(title)}`,
    path: `/projects/${project.key}/issues/${key}`,
  };
}
