import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";
import {
  ASSIGNMENT,
  COMMENT,
  ERROR_ASSIGNED,
  ERROR_REGRESSED,
  FIX_VERIFIED,
  ISSUE_REOPENED,
  LANE_CHANGE,
  MENTION,
  NEW_ERROR,
  type NotificationType,
  PROJECT_MEMBERSHIP,
  REPORT_CREATED,
  SPIKE,
  TEAM_MEMBERSHIP,
  WORK_COMMENT,
} from "../../shared/notifications.ts";
import { quoteTitle } from "../inform/notify/message-parts.ts";
import { nameError } from "../inform/notify/notified-groups.ts";
import type { DemoComment } from "./comments.ts";
import type { WorkedGroup } from "./error-group-work.ts";
import type { DemoIssue } from "./issues.ts";
import { at, DAY, HOUR } from "./times.ts";
import type { DemoPerson } from "./people.ts";
import type { Random } from "./samples/seeded-random.ts";
import type { DemoReport } from "./reports.ts";
import type { DemoWorkspace, ProjectSetup } from "./workspace.ts";

const KEPT_DAYS = 30;

/** Older entries about new errors would fill the inbox. */
const NEW_DAYS = 4;

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
  group?: WorkedGroup;
};

type Activity = {
  issues: DemoIssue[];
  groups: WorkedGroup[];
  comments: DemoComment[];
  reports: DemoReport[];
};

/** Creates inbox entries for the last month. Most of those older than two days are read. Returns their number. */
export async function fillInboxes(
  tx: Tx,
  workspace: DemoWorkspace,
  { activity, now, random }: { activity: Activity; now: number; random: Random },
): Promise<number> {
  const entries = [
    ...memberships(workspace, now),
    ...activity.issues.flatMap(ofIssue),
    ...activity.comments.flatMap(ofComment),
    ...activity.reports.flatMap(ofReport),
    ...workspace.projects.flatMap((setup) =>
      activity.groups
        .filter(({ projectId }) => projectId === setup.project.id)
        .flatMap((group) => ofGroup(group, setup, now)),
    ),
  ]
    .filter((entry) => entry.at <= now && entry.at > now - KEPT_DAYS * DAY && entry.to !== entry.actor)
    .sort((a, b) => a.at - b.at);
  if (entries.length === 0) return 0;
  const rows = entries.map((entry) => ({
    user_id: entry.to.id,
    type: entry.type,
    message: entry.message,
    actor_id: entry.actor?.id,
    workspace_id: workspace.id,
    project_id: entry.projectId,
    issue_id: entry.issue?.id,
    issue_key: entry.issue?.key,
    issue_title: entry.issue?.title,
    team_id: entry.team?.id,
    team_name: entry.team?.name,
    comment_id: entry.comment?.id,
    report_id: entry.report?.id,
    error_group_id: entry.group?.id,
    // An entry about a new report names it in its message.
    thing_title: entry.group?.exception_class ?? (entry.comment && entry.report?.title),
    thing_text: entry.group?.message,
    created_at: at(entry.at),
    read_at: random.chance(now - entry.at > 2 * DAY ? 0.9 : 0.2) ? at(Math.min(now, entry.at + HOUR)) : null,
  }));
  const columns = sql.raw(
    `user_id, type, message, actor_id, workspace_id, project_id, issue_id, issue_key, issue_title, team_id, team_name,
    comment_id, report_id, error_group_id, thing_title, thing_text, created_at, read_at`,
  );
  await sql`
    insert into notifications (${columns})
    select ${columns} from json_populate_recordset(null::notifications, ${JSON.stringify(rows)}::json)`.execute(
    tx,
  );
  return entries.length;
}

const nameOf = (person: DemoPerson) => `${person.first_name} ${person.last_name}`;
const titleOf = (issue: DemoIssue) => `${issue.key} ${quoteTitle(issue.title)}`;

/** The second person, also an administrator, adds everyone: one's own actions create no entries. */
function memberships({ people, projects, teams }: DemoWorkspace, now: number): Entry[] {
  const actor = people[1] as DemoPerson;
  const ofTeams = teams.flatMap((team, index) =>
    team.members.map((to): Entry => {
      const message = `${nameOf(actor)} added you to the team ${team.name}`;
      return { to, type: TEAM_MEMBERSHIP, message, actor, team, at: now - (4 + 9 * index) * DAY };
    }),
  );
  const ofProjects = projects.flatMap(({ project, people: members }, index) =>
    members.map((to): Entry => {
      const message = `${nameOf(actor)} added you to the project ${project.name}`;
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
      at: stop.at,
      ...(stop.reopened
        ? {
            type: ISSUE_REOPENED,
            actor: undefined,
            message: `${titleOf(issue)} was reopened because its error came back in ${stop.reopened.release}`,
          }
        : {
            type: LANE_CHANGE,
            actor: mover,
            message: `${nameOf(mover)} moved ${titleOf(issue)} to ${stop.lane.name}`,
          }),
    })),
  );
  return [...assigned, ...moved];
}

/** One entry per recipient: a mention takes precedence over a reply, and a reply over a watch. */
function ofComment(comment: DemoComment): Entry[] {
  const { issue, group, report, author, mentioned, parent } = comment;
  const target = targetOf(comment);
  if (!target) return [];
  const reply = issue ? COMMENT : WORK_COMMENT;
  const mention = issue ? MENTION : WORK_COMMENT;
  const recipients = new Map<DemoPerson, Pick<Entry, "type" | "message">>();
  for (const watcher of target.watchers)
    recipients.set(watcher, { type: reply, message: `${nameOf(author)} commented on ${target.name}` });
  if (parent)
    recipients.set(parent.author, {
      type: reply,
      message: `${nameOf(author)} replied to your comment on ${target.name}`,
    });
  if (mentioned)
    recipients.set(mentioned, {
      type: mention,
      message: `${nameOf(author)} mentioned you on ${target.name}`,
    });
  const about = {
    ...(issue && { issue }),
    ...(group && { group }),
    ...(report && { report }),
    comment,
    actor: author,
    projectId: target.projectId,
    at: comment.at,
  };
  return [...recipients].map(([to, notice]) => ({ ...about, to, ...notice }));
}

function targetOf({ issue, group, report }: DemoComment) {
  if (issue) return { watchers: issue.watchers, name: titleOf(issue), projectId: issue.setup.project.id };
  if (group) return { watchers: watchersOf(group), name: nameError(group), projectId: group.projectId };
  if (report)
    return {
      watchers: report.setup.people.slice(0, 4),
      name: `the report ${quoteTitle(report.title)}`,
      projectId: report.setup.project.id,
    };
  return undefined;
}

const watchersOf = ({ assignment, resolver, issue }: WorkedGroup): DemoPerson[] => [
  ...new Set([assignment?.to, resolver, issue?.creator].flatMap((person) => person ?? [])),
];

function ofGroup(group: WorkedGroup, { people, project }: ProjectSetup, now: number): Entry[] {
  const { assignment, verified, resolver, story, first, last, regressedAt, regressedRelease } = group;
  const about = { group, projectId: group.projectId, actor: undefined };
  const error = nameError(group);
  const capitalized = `T${error.slice(1)}`;
  const projectWatchers = people.slice(0, 4);
  return [
    ...(first > now - NEW_DAYS * DAY ? projectWatchers : []).map((to): Entry => ({
      ...about,
      to,
      type: NEW_ERROR,
      at: first,
      message: `New error ${group.exception_class} in ${project.name}`,
    })),
    ...[assignment ?? []].flat().map(({ to, by, at }): Entry => ({
      ...about,
      to,
      actor: by,
      type: ERROR_ASSIGNED,
      at,
      message: `${nameOf(by)} assigned ${error} to you`,
    })),
    ...(regressedAt === null
      ? []
      : watchersOf(group).map((to): Entry => ({
          ...about,
          to,
          type: ERROR_REGRESSED,
          at: regressedAt,
          message: `${capitalized} came back in ${regressedRelease}`,
        }))),
    ...(verified && resolver ? [resolver] : []).map((to): Entry => ({
      ...about,
      to,
      type: FIX_VERIFIED,
      at: verified?.at ?? 0,
      message: `Your fix of ${error} is verified: a newer release has run for 48 hours without it`,
    })),
    ...(story?.fate === "frequent"
      ? projectWatchers.map((to): Entry => ({
          ...about,
          to,
          type: SPIKE,
          at: last - 2 * HOUR,
          message: `${capitalized} is spiking: 214 events in 10 minutes, usually 2`,
        }))
      : []),
  ];
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
