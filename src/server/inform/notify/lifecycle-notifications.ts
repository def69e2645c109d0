import { sql } from "kysely";
import { FIX_VERIFIED, ISSUE_REOPENED } from "../../../shared/notifications.ts";
import type { ProjectAccess } from "../../access/project-access.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { describeGroup } from "./describe-group.ts";
import { describeIssue } from "./issue-notifications.ts";
import { shorten } from "./message-parts.ts";
import { notify } from "./notify.ts";

type Project = ProjectAccess["project"];

/** Notifies the user who resolved the group, if they still exist and may read it. */
export async function notifyVerified(
  tx: Tx,
  project: Project,
  groupId: number,
  resolverId: number | null,
): Promise<void> {
  const { subject, description, path } = await describeGroup(tx, project, groupId);
  const message = `Your fix of ${description} is verified: a newer release has run for 48 hours without it`;
  await notify(tx, {
    subject,
    actorId: null,
    recipients: sql`select ${resolverId}::bigint, 1 where ${resolverId}::bigint is not null`,
    allowed: usersReading(project, "error_group"),
    notices: [
      {
        type: FIX_VERIFIED,
        message,
        preference: "notify_error_activity_email",
        button: { label: "Open the error", path },
      },
    ],
  });
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
