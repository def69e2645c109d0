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
import type { DemoComment } from "./discussions.ts";
import type { DemoIssue } from "./issues.ts";
import { at, DAY, HOUR } from "./moments.ts";
import type { DemoPerson } from "./people.ts";
import type { Random } from "./random.ts";
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
};

type Happened = { issues: DemoIssue[]; comments: DemoComment[]; reports: DemoReport[] };

/** What the last month would have left in the inboxes; what is older than two days is mostly read. */
export async function fillInboxes(
  tx: Tx,
  workspace: DemoWorkspace,
  happened: Happened,
  now: number,
  random: Random,
): Promise<number> {
  const entries = [
    ...memberships(workspace, now),
    ...happened.issues.flatMap(ofIssue),
    ...happened.comments.flatMap(ofComment),
    ...happened.reports.flatMap(ofReport),
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
        created_at: at(entry.at),
        read_at: random.chance(now - entry.at > 2 * DAY ? 0.9 : 0.2)
          ? at(Math.min(now, entry.at + HOUR))
          : null,
      })),
    )
    .execute();
  return entries.length;
}

const who = (person: DemoPerson) => `${person.first_name} ${person.last_name}`;
const called = (issue: DemoIssue) => `${issue.key} ${quoteTitle(issue.title)}`;

/** Somebody else's doing: the second person administers the workspace, too. */
function memberships({ people, places, teams }: DemoWorkspace, now: number): Entry[] {
  const actor = people[1] as DemoPerson;
  const ofTeams = teams.flatMap((team, index) =>
    team.members.map((to): Entry => {
      const message = `${who(actor)} added you to the team ${quoteTitle(team.name)}`;
      return { to, type: TEAM_MEMBERSHIP, message, actor, team, at: now - (4 + 9 * index) * DAY };
    }),
  );
  const ofProjects = places.flatMap(({ project, people: members }, index) =>
    members.map((to): Entry => {
      const message = `${who(actor)} added you to ${quoteTitle(project.name)}`;
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
  const about = { issue, projectId: issue.place.project.id };
  const assigned: Entry[] = assignee
    ? [
        {
          ...about,
          to: assignee,
          type: ASSIGNMENT,
          actor: creator,
          at: createdAt + HOUR / 2,
          message: `${who(creator)} assigned ${called(issue)} to you`,
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
      message: `${who(mover)} moved ${called(issue)} to ${stop.lane.name}`,
    })),
  );
  return [...assigned, ...moved];
}

/** Whoever it concerns twice is told once: mention before reply before watch. */
function ofComment(comment: DemoComment): Entry[] {
  const { issue, author, mentioned, parent } = comment;
  if (!issue) return [];
  const concerned = new Map<DemoPerson, Pick<Entry, "type" | "message">>();
  for (const watcher of issue.watchers)
    concerned.set(watcher, { type: COMMENT, message: `${who(author)} commented on ${called(issue)}` });
  if (parent)
    concerned.set(parent.author, {
      type: COMMENT,
      message: `${who(author)} replied to your comment on ${called(issue)}`,
    });
  if (mentioned)
    concerned.set(mentioned, { type: MENTION, message: `${who(author)} mentioned you on ${called(issue)}` });
  const about = { issue, comment, actor: author, projectId: issue.place.project.id, at: comment.at };
  return [...concerned].map(([to, notice]) => ({ ...about, to, ...notice }));
}

function ofReport(report: DemoReport): Entry[] {
  const { place, creator, title, author, createdAt } = report;
  const message = `${creator ? who(creator) : author} reported ${quoteTitle(title)} in ${place.project.name}`;
  return place.people.slice(0, 4).map((to) => ({
    to,
    type: REPORT_CREATED,
    message,
    actor: creator,
    projectId: place.project.id,
    at: createdAt,
  }));
}
