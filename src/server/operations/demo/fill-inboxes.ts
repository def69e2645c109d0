import type { Tx } from "../../db/connect.ts";
import {
  ASSIGNMENT,
  COMMENT,
  LANE_CHANGE,
  MENTION,
  type NotificationType,
  PROJECT_MEMBERSHIP,
  REPORT_CREATED,
  TEAM_MEMBERSHIP,
} from "../../../shared/notifications.ts";
import { quoteTitle } from "../../inform/notify/message-parts.ts";
import type { DemoComment } from "./comments.ts";
import type { DemoIssue } from "./issues.ts";
import { at, DAY, HOUR } from "./times.ts";
import type { DemoPerson } from "./people.ts";
import type { Random } from "./seeded-random.ts";
import type { DemoReport } from "./reports.ts";
import type { DemoWorkspace } from "./workspace.ts";

const KEPT_DAYS = 30;

type Entry = {
  to: DemoPerson;
  type: NotificationType;
  message: string;
  actor: DemoPerson | undefined;
  at: number;
  projectId?: number;
  issue?: DemoIssue;
  team?: { id: number; name: string };
  comment?: DemoComment;
  report?: DemoReport;
};

type Activity = { issues: DemoIssue[]; comments: DemoComment[]; reports: DemoReport[] };

/** Creates inbox entries for the last month. Most of those older than two days are read. Returns their number. */
export async function fillInboxes(
  tx: Tx,
  workspace: DemoWorkspace,
  activity: Activity,
  now: number,
  random: Random,
): Promise<number> {
  const entries = [
    ...memberships(workspace, now),
    ...activity.issues.flatMap(ofIssue),
    ...activity.comments.flatMap(ofComment),
    ...activity.reports.flatMap(ofReport),
  ]
    .filter((entry) => entry.at <= now && entry.at > now - KEPT_DAYS * DAY && entry.to !== entry.actor)
    .sort((a, b) => a.at - b.at);
  if (entries.length === 0) return 0;
  await tx
    .insertInto("notifications")
    .values(
      entries.map((entry) => ({
        user_id: entry.to.id,
        type: entry.type,
        message: entry.message,
        actor_id: entry.actor?.id ?? null,
        workspace_id: workspace.id,
        project_id: entry.projectId ?? null,
        issue_id: entry.issue?.id ?? null,
        issue_key: entry.issue?.key ?? null,
        issue_title: entry.issue?.title ?? null,
        team_id: entry.team?.id ?? null,
        team_name: entry.team?.name ?? null,
        comment_id: entry.comment?.id ?? null,
        report_id: entry.report?.id ?? null,
        created_at: at(entry.at),
        read_at: random.chance(now - entry.at > 2 * DAY ? 0.9 : 0.2)
          ? at(Math.min(now, entry.at + HOUR))
          : null,
      })),
    )
    .execute();
  return entries.length;
}

const nameOf = (person: DemoPerson) => `${person.first_name} ${person.last_name}`;
const titleOf = (issue: DemoIssue) => `${issue.key} ${quoteTitle(issue.title)}`;

/** The second person, also an administrator, adds everyone: one's own actions create no entries. */
function memberships({ people, projects, teams }: DemoWorkspace, now: number): Entry[] {
  const actor = people[1] as DemoPerson;
  const ofTeams = teams.flatMap((team, index) =>
    team.members.map((to): Entry => {
      const message = `${nameOf(actor)} added you to the team ${quoteTitle(team.name)}`;
      return { to, type: TEAM_MEMBERSHIP, message, actor, team, at: now - (4 + 9 * index) * DAY };
    }),
  );
  const ofProjects = projects.flatMap(({ project, people: members }, index) =>
    members.map((to): Entry => {
      const message = `${nameOf(actor)} added you to ${quoteTitle(project.name)}`;
      return {
        to,
        type: PROJECT_MEMBERSHIP,
        message,
        actor,
        projectId: project.id,
        at: now - (5 + 8 * index) * DAY,
      };
    }),
  );
  return [...ofProjects, ...ofTeams];
}

function ofIssue(issue: DemoIssue): Entry[] {
  const { assignee, creator, watchers, stops, createdAt } = issue;
  const about = { issue, projectId: issue.setup.project.id };
  const assigned: Entry[] = assignee
    ? [
        {
          ...about,
          to: assignee,
          type: ASSIGNMENT,
          actor: creator,
          at: createdAt + HOUR / 2,
          message: `${nameOf(creator)} assigned ${titleOf(issue)} to you`,
        },
      ]
    : [];
  const mover = assignee ?? creator;
  const moved = stops.slice(1).flatMap((stop) =>
    watchers.map((to): Entry => ({
      ...about,
      to,
      type: LANE_CHANGE,
      actor: mover,
      at: stop.at,
      message: `${nameOf(mover)} moved ${titleOf(issue)} to ${stop.lane.name}`,
    })),
  );
  return [...assigned, ...moved];
}

/** One entry per recipient: a mention takes precedence over a reply, and a reply over a watch. */
function ofComment(comment: DemoComment): Entry[] {
  const { issue, author, mentioned, parent } = comment;
  if (!issue) return [];
  const recipients = new Map<DemoPerson, Pick<Entry, "type" | "message">>();
  for (const watcher of issue.watchers)
    recipients.set(watcher, { type: COMMENT, message: `${nameOf(author)} commented on ${titleOf(issue)}` });
  if (parent)
    recipients.set(parent.author, {
      type: COMMENT,
      message: `${nameOf(author)} replied to your comment on ${titleOf(issue)}`,
    });
  if (mentioned)
    recipients.set(mentioned, {
      type: MENTION,
      message: `${nameOf(author)} mentioned you on ${titleOf(issue)}`,
    });
  const about = { issue, comment, actor: author, projectId: issue.setup.project.id, at: comment.at };
  return [...recipients].map(([to, notice]) => ({ ...about, to, ...notice }));
}

function ofReport(report: DemoReport): Entry[] {
  const { setup, creator, title, author, createdAt } = report;
  const message = `${creator ? nameOf(creator) : author} reported ${quoteTitle(title)} in ${setup.project.name}`;
  return setup.people.slice(0, 4).map((to) => ({
    to,
    type: REPORT_CREATED,
    message,
    actor: creator,
    projectId: setup.project.id,
    report,
    at: createdAt,
  }));
}
