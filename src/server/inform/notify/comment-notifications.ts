import { sql, type RawBuilder } from "kysely";
import { COMMENT, MENTION } from "../../../shared/notifications.ts";
import { usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";
import { issueOf } from "./issue-notifications.ts";
import { notify, type About, type Notice, type Occurrence } from "./notify.ts";
import { excerpt, nameOf, quoted } from "./texts.ts";
import { autoWatch } from "../watches/watches.ts";

/** A comment that was just made or edited. */
export type CommentEvent = {
  project: { id: number; key: string; workspace_id: number };
  target: { kind: "issue" | "epic"; id: number };
  comment: { id: number; parent_id: number | null; content: string };
  /** Its author; of an edit, whoever edited it. */
  actorId: number;
  /** Of an edit: only those whom the earlier text did not mention. */
  mentioned: number[];
};

/**
 * A comment on an issue tells those it mentions, for a reply the parent's author, and the watchers; one on an epic has
 * no watchers. Whoever it concerns twice is told once: mention before reply before watch. The author comes to watch the
 * issue (service.md 6, rules 1 and 2; decisions.md 4).
 */
export async function notifyComment(tx: Tx, event: CommentEvent): Promise<void> {
  const { project, target, actorId } = event;
  const concerned = [mentionedPeople(event), parentAuthor(event), watchers(event)];
  await notify(tx, { ...(await occurrence(tx, event)), to: sql.join(concerned, sql` union all `) });
  if (target.kind === "issue") await autoWatch(tx, project, target.id, actorId, "auto_watch_on_commented");
}

/**
 * An edit tells those it newly mentions and nobody else. Whoever was told of the comment already has that entry turned
 * into an unread mention.
 */
export async function notifyEditedComment(tx: Tx, event: CommentEvent): Promise<void> {
  if (event.mentioned.length === 0) return;
  const comment = { id: event.comment.id, isEdited: true };
  await notify(tx, { ...(await occurrence(tx, event)), to: mentionedPeople(event), comment });
}

const [MENTIONED, REPLIED_TO, WATCHING] = [1, 2, 3];

function mentionedPeople({ mentioned }: CommentEvent): RawBuilder<unknown> {
  return sql`select user_id, ${MENTIONED}::int from unnest(${mentioned}::bigint[]) as user_id`;
}

function parentAuthor({ comment }: CommentEvent): RawBuilder<unknown> {
  return sql`select user_id, ${REPLIED_TO}::int from comments where id = ${comment.parent_id}::bigint`;
}

function watchers({ target }: CommentEvent): RawBuilder<unknown> {
  const issueId = target.kind === "issue" ? target.id : null;
  return sql`select user_id, ${WATCHING}::int from issue_watchers where issue_id = ${issueId}::bigint`;
}

async function occurrence(tx: Tx, event: CommentEvent): Promise<Omit<Occurrence, "to">> {
  const { project, comment, actorId, target } = event;
  const who = (await nameOf(tx, actorId)) ?? "Somebody";
  const { about, what, path } = await commented(tx, event);
  const notice = (type: typeof MENTION | typeof COMMENT, message: string): Notice => ({
    type,
    message,
    preference: type === MENTION ? "notify_mentions" : "notify_watched_activity_email",
    lines: [excerpt(comment.content)],
    button: { label: "Open the comment", path: `${path}#comment-${comment.id}` },
  });
  return {
    about,
    actorId,
    among: usersReading(project, target.kind),
    notices: [
      notice(MENTION, `${who} mentioned you on ${what}`),
      notice(COMMENT, `${who} replied to your comment on ${what}`),
      notice(COMMENT, `${who} commented on ${what}`),
    ],
    comment: { id: comment.id, isEdited: false },
  };
}

type Commented = { about: About; what: string; path: string };

/** An epic is no kind of notifiable: its notifications carry the project, and the words name it (decisions.md 4). */
async function commented(tx: Tx, { project, target }: CommentEvent): Promise<Commented> {
  if (target.kind === "issue") return issueOf(tx, project, target.id);
  const { title } = await tx
    .selectFrom("epics")
    .select("title")
    .where("project_id", "=", project.id)
    .where("id", "=", target.id)
    .executeTakeFirstOrThrow();
  return {
    about: { workspace_id: project.workspace_id, project_id: project.id },
    what: `the epic ${quoted(title)}`,
    path: `/projects/${project.key}/epics/${target.id}`,
  };
}
