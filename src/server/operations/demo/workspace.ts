import { sql } from "kysely";
import { makeToken } from "../../access/tokens.ts";
import type { Tx } from "../../db/connect.ts";
import { FIRST_LANES, type LaneKind } from "../../../shared/lanes.ts";
import { createWorkspace } from "../../people/workspaces/create-workspace.ts";
import { at, dateAt, DAY } from "./moments.ts";
import { type DemoPerson, makePeople, makeTeams } from "./people.ts";
import { type DemoProject, PROJECTS } from "./projects.ts";
import type { Random } from "./random.ts";

export type DemoSprint = { id: number; state: "closed" | "active" | "planned"; starts: number; ends: number };

/** A project with what its issues refer to. */
export type Place = {
  project: { id: number; key: string; name: string; workspace_id: number };
  about: DemoProject;
  lanes: { id: number; name: string; kind: LaneKind }[];
  sprints: DemoSprint[];
  labelIds: number[];
  epicIds: number[];
  /** Everybody who may work in it; the administrator first. */
  people: DemoPerson[];
};

export type DemoTeam = { id: number; name: string; members: DemoPerson[] };
export type DemoWorkspace = {
  id: number;
  name: string;
  people: DemoPerson[];
  teams: DemoTeam[];
  places: Place[];
};

export const WORKSPACE = "Northwind Bikes";

/** The workspace with its people, teams and projects, of which the administrator owns each. */
export async function makeWorkspace(
  tx: Tx,
  administratorId: number,
  now: number,
  random: Random,
): Promise<DemoWorkspace> {
  const id = await createWorkspace(tx, administratorId, { name: WORKSPACE });
  const people = await makePeople(tx, id, administratorId, now);
  const teams = await makeTeams(tx, id, people, random);
  const places: Place[] = [];
  // Three, whatever the demo's size.
  for (const [index, about] of PROJECTS.entries())
    places.push(await makePlace(tx, { id, people, team: teams[index] }, about, now, random));
  return { id, name: WORKSPACE, people, teams, places };
}

async function makePlace(
  tx: Tx,
  workspace: { id: number; people: DemoPerson[]; team: DemoTeam | undefined },
  about: DemoProject,
  now: number,
  random: Random,
): Promise<Place> {
  const [administrator, ...others] = workspace.people as [DemoPerson, ...DemoPerson[]];
  const people = [administrator, ...random.some(others, 8)];
  const project = await tx
    .insertInto("projects")
    .values({
      workspace_id: workspace.id,
      key: await freeKey(tx, about.key),
      name: about.name,
      description: about.description,
      created_at: at(now - 110 * DAY),
      updated_at: at(now - 20 * DAY),
    })
    .returning(["id", "key", "name", "workspace_id"])
    .executeTakeFirstOrThrow();
  await addMembers(tx, project, people, workspace.team);
  await addToken(tx, project.id, administrator.id, now);
  return {
    project,
    about,
    people,
    lanes: await makeLanes(tx, project.id),
    sprints: await makeSprints(tx, project.id, now),
    labelIds: await makeLabels(tx, project.id, about),
    epicIds: await makeEpics(tx, project.id, about, people, now),
  };
}

/** Keys are unique in the installation: SHOP, SHOP2 … */
async function freeKey(tx: Tx, key: string): Promise<string> {
  const { rows } = await sql<{ free: string }>`
    select ${key}::text || coalesce(nullif(n, 1)::text, '') as free from generate_series(1, 10000) n
    where not exists (select from projects where key = ${key}::text || coalesce(nullif(n, 1)::text, ''))
    order by n limit 1`.execute(tx);
  return rows[0]?.free ?? key;
}

const ROLES = ["Manager", "Manager", "Member", "Member", "Member", "Member", "Member", "Reporter", "Viewer"];

async function addMembers(
  tx: Tx,
  project: Place["project"],
  people: DemoPerson[],
  team: DemoTeam | undefined,
) {
  const { id, workspace_id } = project;
  const roles = await tx
    .selectFrom("roles")
    .select(["id", "name"])
    .where("workspace_id", "=", workspace_id)
    .execute();
  const roleId = (name = "Member") => roles.find((role) => role.name === name)?.id as number;
  await tx
    .insertInto("project_members")
    .values(
      people.map((person, index) => ({
        project_id: id,
        workspace_id,
        user_id: person.id,
        role_id: roleId(ROLES[index]),
        is_owner: index === 0,
      })),
    )
    .execute();
  await tx
    .insertInto("report_watchers")
    .values(people.slice(0, 4).map((person) => ({ project_id: id, workspace_id, user_id: person.id })))
    .execute();
  if (team)
    await tx
      .insertInto("project_teams")
      .values({ project_id: id, workspace_id, team_id: team.id, role_id: roleId() })
      .execute();
}

/** Of a program that sends reports and events. Nobody has its secret. */
async function addToken(tx: Tx, projectId: number, userId: number, now: number) {
  const { token_hash, last_four } = makeToken("prj");
  await tx
    .insertInto("project_tokens")
    .values({
      project_id: projectId,
      created_by: userId,
      name: "Production",
      token_hash,
      last_four,
      access: "read_write",
      created_at: at(now - 100 * DAY),
      last_used_at: at(now),
    })
    .execute();
}

async function makeLanes(tx: Tx, projectId: number): Promise<Place["lanes"]> {
  const [backlog, todo, doing, done] = FIRST_LANES;
  const lanes = [backlog, todo, doing, { name: "In review", kind: "doing" as const }, done].flatMap(
    (lane) => lane ?? [],
  );
  return tx
    .insertInto("lanes")
    .values(lanes.map((lane, position) => ({ ...lane, project_id: projectId, position })))
    .returning(["id", "name"])
    .returning(sql<LaneKind>`kind`.as("kind"))
    .execute();
}

const GOALS = [
  "Fewer questions to support about deliveries",
  "The list of slow pages is empty",
  "Everything for the autumn sale is in place",
  "Close what customers reported twice",
  "Try the new flow with the Utrecht branch",
];

/** Of two weeks each: three are over, one is under way, one is planned. */
async function makeSprints(tx: Tx, projectId: number, now: number): Promise<DemoSprint[]> {
  const sprints = GOALS.map((goal, index) => {
    const starts = now - (6 + (3 - index) * 14) * DAY;
    const state = index < 3 ? "closed" : index === 3 ? "active" : "planned";
    return { goal, name: `Sprint ${38 + index}`, starts, ends: starts + 13 * DAY, state } as const;
  });
  const rows = await tx
    .insertInto("sprints")
    .values(
      sprints.map(({ goal, name, state, starts, ends }) => ({
        project_id: projectId,
        goal,
        name,
        state,
        starts_on: dateAt(starts),
        ends_on: dateAt(ends),
        created_at: at(starts - 3 * DAY),
      })),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }, index) => ({ id, ...(sprints[index] as (typeof sprints)[number]) }));
}

async function makeLabels(tx: Tx, projectId: number, { labels }: DemoProject): Promise<number[]> {
  const rows = await tx
    .insertInto("labels")
    .values(labels.map(([name, color]) => ({ project_id: projectId, name, color })))
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

async function makeEpics(
  tx: Tx,
  projectId: number,
  { epics }: DemoProject,
  people: DemoPerson[],
  now: number,
): Promise<number[]> {
  const rows = await tx
    .insertInto("epics")
    .values(
      epics.map(([title, description], index) => ({
        project_id: projectId,
        title,
        description,
        state: index === 0 ? "done" : "open",
        starts_on: dateAt(now - (80 - 20 * index) * DAY),
        ends_on: index === epics.length - 1 ? null : dateAt(now - (5 - 30 * index) * DAY),
        created_by: people[index % 2]?.id ?? null,
        created_at: at(now - (90 - index) * DAY),
        updated_at: at(now - (30 - index) * DAY),
      })),
    )
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}
