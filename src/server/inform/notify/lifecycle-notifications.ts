import { sql } from "kysely";
import { FIX_VERIFIED, ISSUE_REOPENED } from "../../../shared/notifications.ts";
import type { ProjectAccess } from "../../access/project-access.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { describeIssue } from "./issue-notifications.ts";
import { shorten } from "./message-parts.ts";
import { nameError, readNotifiedGroups } from "./notified-groups.ts";
import { notifyAboutGroups, type GroupNotice } from "./notify-about-groups.ts";
import { notify } from "./notify.ts";

type Project = ProjectAccess["project"];

/** Notifies the users who resolved the groups, if they still exist and may read them. */
export async function notifyVerified(
  tx: Tx,
  verified: { id: number; resolved_by_id: number | null }[],
): Promise<void> {
  const resolvers = new Map(verified.map(({ id, resolved_by_id }) => [id, resolved_by_id]));
  const resolved = [...resolvers.keys()].filter((id) => resolvers.get(id) !== null);
  for (const { project, groups } of await readNotifiedGroups(tx, resolved)) {
    const notices = [...groups.values()].map((group): GroupNotice => ({
      group,
      type: FIX_VERIFIED,
      message: `Your fix of ${nameError(group)} is verified: a newer release has run for 48 hours without it`,
    }));
    const recipients = sql`
      select n, user_id, true, true from notice
      join unnest(${[...resolvers.keys()]}::bigint[], ${[...resolvers.values()]}::bigint[]) as resolver (group_id, user_id)
        using (group_id)
      where exists (select from users u where u.id = user_id)`;
    await notifyAboutGroups(tx, project, { notices, recipients });
  }
}

/** Notifies the assignee and the watchers of an issue that a regression reopened. */
export async function notifyReopened(
  tx: Tx,
  project: Project,
  issueId: number,
  release: string | null,
): Promise<void> {
  const { subject, description, path } = await describeIssue(tx, project, issueId);
  const where = release === null ? "" : ` in ${shorten(release)}`;
  await notify(tx, {
    subject,
    actorId: null,
    recipients: sql`
      select user_id, 1 from issue_watchers where issue_id = ${issueId}
      union all select assignee_id, 1 from issues where id = ${issueId} and assignee_id is not null`,
    allowed: usersReading(project, "issue"),
    notices: [
      {
        type: ISSUE_REOPENED,
        message: `${description} was reopened because its error came back${where}`,
        preference: "notify_watched_activity_email",
        button: { label: `Open ${subject.issue.key}`, path },
      },
    ],
  });
}
