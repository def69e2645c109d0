import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";
import { ranksBehind } from "../work/ranks/rank.ts";
import { issueTexts } from "./samples/issue-and-comment-texts.ts";
import { at, dateAt, DAY, HOUR } from "./times.ts";
import type { DemoPerson } from "./people.ts";
import type { Random } from "./samples/seeded-random.ts";
import { planWork, type Reopened, type Stop, type Work } from "./sprint-work.ts";
import type { ProjectSetup } from "./workspace.ts";

/** The content of an issue. Promoted reports and error groups supply their own. */
export type IssueSeed = {
  title: string;
  description: string;
  type: 0 | 1;
  createdAt: number;
  priority?: number;
  /** When an error's issue was closed and came back. Null if it was not closed yet; undefined for any course. */
  course?: { closedAt: number | null; reopened: Reopened | undefined };
};

export type DemoIssue = IssueSeed & {
  id: number;
  key: string;
  setup: ProjectSetup;
  creator: DemoPerson;
  assignee: DemoPerson | undefined;
  /** The lanes that the issue has been in, ending with the current one. */
  stops: Stop[];
  watchers: DemoPerson[];
};

/** Makes an issue from each seed, and more up to `count` in total. The seeds' issues come first, in order. */
export async function makeIssues(
  tx: Tx,
  setup: ProjectSetup,
  { seeds, count, now, random }: { seeds: IssueSeed[]; count: number; now: number; random: Random },
): Promise<DemoIssue[]> {
  const texts = issueTexts(setup.template.screens, Math.max(0, count - seeds.length), random);
  const drafts = seeds.map((seed) => draft(setup, seed, workOf(setup, seed, now, random), random));
  const others = (sprintId: number) => drafts.filter(({ row }) => row.sprint_id === sprintId).length;
  const plan = planWork(setup, { count: texts.length, total: count, others }, now, random);
  for (const [index, text] of texts.entries()) {
    const work = plan[index] as Work;
    drafts.push(draft(setup, { ...text, createdAt: work.createdAt }, work, random));
  }
  const inTime = drafts.toSorted((a, b) => a.createdAt - b.createdAt);
  const ids = await insert(tx, setup, inTime, now);
  const issueByDraft = new Map(
    inTime.map((each, index) => [
      each,
      { ...each, id: ids[index] as number, key: `${setup.project.key}-${index + 1}` },
    ]),
  );
  const issues = drafts.map((each) => issueByDraft.get(each) as DemoIssue);
  await addLabels(tx, setup, issues, random);
  await addBlockers(tx, setup, issues, random);
  await addWatchers(tx, issues);
  return issues;
}

type Draft = Omit<DemoIssue, "id" | "key"> & {
  row: {
    sprint_id: number | null;
    epic_id: number | null;
    estimated_minutes: number | null;
    priority: number;
  };
};

/** The course of a promoted report's or error's issue. */
function workOf(setup: ProjectSetup, seed: IssueSeed, now: number, random: Random): Work {
  const stops = seed.course
    ? stopsOfError(setup, seed.createdAt, seed.course, now)
    : stopsOf(setup, seed.createdAt, now, random);
  return {
    createdAt: seed.createdAt,
    stops,
    sprintId: stops.at(-1)?.lane.kind === "backlog" ? null : sprintOf(setup, stops, now, random),
    estimatedMinutes: random.chance(0.8) ? random.pick([60, 120, 120, 240, 240, 480]) : null,
  };
}

function draft(
  setup: ProjectSetup,
  seed: IssueSeed,
  { stops, sprintId, estimatedMinutes }: Work,
  random: Random,
): Draft {
  const workers = setup.people.slice(0, 7);
  const creator = random.pick(workers);
  const lane = stops.at(-1)?.lane;
  const isPlanned = lane?.kind !== "backlog";
  const assignee =
    seed.course || random.chance(isPlanned ? 0.9 : 0.25)
      ? random.pick([...workers, ...workers.slice(0, 1)])
      : undefined;
  const watchers = [
    ...new Set([
      creator,
      ...(assignee ? [assignee] : []),
      ...random.some(setup.people, random.integer(0, 2)),
    ]),
  ];
  return {
    ...seed,
    setup,
    creator,
    assignee,
    stops,
    watchers,
    row: {
      sprint_id: sprintId,
      epic_id: random.chance(0.5) ? random.pick(setup.epicIds) : null,
      estimated_minutes: estimatedMinutes,
      priority: seed.priority ?? random.pick([0, 1, 1, 2, 2, 2, 2, 3, 3, 4]),
    },
  };
}

/** Older issues have progressed further, except for those that stay in the backlog. */
function stopsOf({ lanes }: ProjectSetup, createdAt: number, now: number, random: Random): Stop[] {
  const age = (now - createdAt) / DAY;
  const progress = random.chance(0.3)
    ? 0
    : Math.floor(Math.min(1, (age / 40) * (0.4 + random.fraction())) * (lanes.length - 0.01));
  const step = (now - createdAt) / (progress + 1.5);
  return lanes
    .slice(0, progress + 1)
    .map((lane, index) => ({ lane, at: Math.floor(createdAt + index * step) }));
}

/** Through all lanes until it was closed, else as far as the third one. */
function stopsOfError(
  { lanes }: ProjectSetup,
  createdAt: number,
  { closedAt, reopened }: NonNullable<IssueSeed["course"]>,
  now: number,
): Stop[] {
  if (closedAt === null)
    return lanes
      .slice(0, 3)
      .map((lane, index) => ({ lane, at: Math.floor(createdAt + (index / 4) * (now - createdAt)) }));
  const step = (closedAt - createdAt) / (lanes.length - 1);
  const stops = lanes.map((lane, index) => ({ lane, at: Math.floor(createdAt + index * step) }));
  const todo = lanes.find(({ kind }) => kind === "todo");
  return reopened && todo ? [...stops, { lane: todo, at: reopened.at, reopened }] : stops;
}

function sprintOf({ sprints }: ProjectSetup, stops: Stop[], now: number, random: Random): number | null {
  const last = stops.at(-1);
  if (!last || random.chance(0.15)) return null;
  const moment = last.lane.kind === "done" ? last.at : now;
  const during = sprints.find(({ starts, ends }) => starts <= moment && moment < ends + DAY);
  if (last.lane.kind === "todo" && random.chance(0.4)) return sprints.at(-1)?.id ?? null;
  return during?.id ?? null;
}

async function insert(tx: Tx, { project }: ProjectSetup, drafts: Draft[], now: number): Promise<number[]> {
  if (drafts.length === 0) return [];
  const ranks = ranksBehind(null, drafts.length);
  const rows = await tx
    .insertInto("issues")
    .values(
      drafts.map((draft, index) => {
        const last = draft.stops.at(-1) as Stop;
        return {
          project_id: project.id,
          number: index + 1,
          title: draft.title,
          description: draft.description,
          type: draft.type,
          ...draft.row,
          lane_id: last.lane.id,
          rank: ranks[index] as string,
          assignee_id: draft.assignee?.id ?? null,
          created_by: draft.creator.id,
          created_at: at(draft.createdAt),
          updated_at: at(last.at),
          closed_at: last.lane.kind === "done" ? at(last.at) : null,
          due_on: dueOn(index, last, now),
        };
      }),
    )
    .returning(["id", "number"])
    .execute();
  await tx
    .updateTable("projects")
    .set({ last_issue_number: drafts.length })
    .where("id", "=", project.id)
    .execute();
  return rows.toSorted((a, b) => a.number - b.number).map((row) => row.id);
}

/** Every fourth issue that is worked on is due between two days ago and six days from now. */
function dueOn(index: number, { lane }: Stop, now: number): string | null {
  if (index % 4 !== 0 || lane.kind === "backlog" || lane.kind === "done") return null;
  return dateAt(now + ((index % 12) - 2) * DAY);
}

async function addLabels(tx: Tx, { project, labelIds }: ProjectSetup, issues: DemoIssue[], random: Random) {
  const [bug, ...others] = labelIds;
  const rows = issues.flatMap(({ id, type }) =>
    [
      ...(type === 1 && bug !== undefined ? [bug] : []),
      ...random.some(others, random.pick([0, 0, 1, 1, 2])),
    ].map((label_id) => ({ project_id: project.id, issue_id: id, label_id })),
  );
  if (rows.length > 0) await tx.insertInto("issue_labels").values(rows).execute();
}

/** Earlier issues block later ones, so there are no cycles. */
async function addBlockers(tx: Tx, { project }: ProjectSetup, issues: DemoIssue[], random: Random) {
  const ids = issues.map((issue) => issue.id).sort((a, b) => a - b);
  const pairs = ids.slice(1).flatMap((blocked_id, index) =>
    random.chance(0.12)
      ? {
          project_id: project.id,
          blocker_id: random.pick(ids.slice(Math.max(0, index - 12), index + 1)),
          blocked_id,
        }
      : [],
  );
  if (pairs.length > 0) await tx.insertInto("issue_blocks").values(pairs).execute();
}

async function addWatchers(tx: Tx, issues: DemoIssue[]) {
  const rows = issues.flatMap(({ id, watchers }) =>
    watchers.map((watcher) => ({ issue_id: id, user_id: watcher.id })),
  );
  if (rows.length > 0) await tx.insertInto("issue_watchers").values(rows).execute();
}

/** Records who created, assigned and moved the issues. */
export async function makeActivity(tx: Tx, issues: DemoIssue[]): Promise<void> {
  const rows = issues
    .flatMap(({ id, createdAt, creator, assignee, stops }) => [
      { issue_id: id, actor_id: creator.id, kind: "created", from: null, to: null, at: createdAt },
      ...(assignee
        ? [
            {
              issue_id: id,
              actor_id: creator.id,
              kind: "assignee_id",
              from: null,
              to: assignee.id,
              at: createdAt + HOUR / 2,
            },
          ]
        : []),
      ...stops.slice(1).flatMap(({ lane, at, reopened }, index) => [
        ...(reopened
          ? [
              {
                issue_id: id,
                actor_id: null,
                kind: "regressed",
                from: { error_group_id: reopened.groupId },
                to: { release: reopened.release },
                at,
              },
            ]
          : []),
        {
          issue_id: id,
          actor_id: reopened ? null : (assignee ?? creator).id,
          kind: "lane_id",
          from: stops[index]?.lane.id ?? null,
          to: lane.id,
          at,
        },
      ]),
    ])
    .sort((a, b) => a.at - b.at)
    .map((row) => ({ ...row, at: at(row.at) }));
  await sql`
    insert into issue_activity (issue_id, actor_id, kind, "from", "to", created_at)
    select issue_id, actor_id, kind, "from", "to", at
    from json_to_recordset(${JSON.stringify(rows)}) as r (issue_id bigint, actor_id bigint, kind text,
      "from" jsonb, "to" jsonb, at timestamptz)`.execute(tx);
}
