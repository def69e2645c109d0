import { addWebhook } from "./webhook.ts";
import { sql } from "kysely";
import { makeToken } from "../access/tokens.ts";
import type { Tx } from "../db/connect.ts";
import { FIRST_LANES, type LaneKind } from "../../shared/lanes.ts";
import { createWorkspace } from "../people/workspaces/create-workspace.ts";
import { at, dateAt, DAY } from "./times.ts";
import { makeTemplates } from "./samples/templates.ts";
import { type DemoPerson, makePeople, makeTeams } from "./people.ts";
import { type ProjectTemplate, PROJECTS } from "./samples/projects.ts";
import type { Random } from "./samples/seeded-random.ts";

export type DemoSprint = { id: number; state: "closed" | "active" | "planned"; starts: number; ends: number };

/** A project with everything that its issues refer to. */
export type ProjectSetup = {
  project: { id: number; key: string; name: string; workspace_id: number };
  template: ProjectTemplate;
  lanes: { id: number; name: string; kind: LaneKind }[];
  sprints: DemoSprint[];
  labelIds: number[];
  epicIds: number[];
  /** Members of the project, the administrator first. */
  people: DemoPerson[];
};

export type DemoTeam = { id: number; name: string; members: DemoPerson[] };
export type DemoWorkspace = {
  id: number;
  name: string;
  people: DemoPerson[];
  teams: DemoTeam[];
  projects: ProjectSetup[];
};

const WORKSPACE = "Northwind Bikes";

/** Creates the workspace with people, teams and projects. The administrator owns all projects. */
export async function makeWorkspace(
  tx: Tx,
  administratorId: number,
  now: number,
  random: Random,
): Promise<DemoWorkspace> {
  const id = await createWorkspace(tx, administratorId, { name: WORKSPACE });
  const people = await makePeople(tx, id, administratorId, now);
  const teams = await makeTeams(tx, id, people, random);
  const projects: ProjectSetup[] = [];
  for (const [index, template] of PROJECTS.entries())
    projects.push(await makeProject(tx, { id, people, team: teams[index] }, { template, now, random }));
  return { id, name: WORKSPACE, people, teams, projects };
}

async function makeProject(
  tx: Tx,
  workspace: { id: number; people: DemoPerson[]; team: DemoTeam | undefined },
  { template, now, random }: { template: ProjectTemplate; now: number; random: Random },
): Promise<ProjectSetup> {
  const [administrator, ...others] = workspace.people as [DemoPerson, ...DemoPerson[]];
  const people = [administrator, ...random.some(others, 8)];
  const project = await tx
    .insertInto("projects")
    .values({
      workspace_id: workspace.id,
      key: await freeKey(tx, template.key),
      name: template.name,
      description: template.description,
      created_at: at(now - 110 * DAY),
      updated_at: at(now - 20 * DAY),
    })
    .returning(["id", "key", "name", "workspace_id"])
    .executeTakeFirstOrThrow();
  await addMembers(tx, project, people, workspace.team);
  await addToken(tx, project.id, administrator.id, now);
  await addIngestKey(tx, project.id, administrator.id, now);
  await addWebhook(tx, project, administrator.id, now);
  const labelIds = await makeLabels(tx, project.id, template);
  await makeTemplates(tx, project.id, labelIds);
  return {
    project,
    template,
    people,
    lanes: await makeLanes(tx, project.id),
    sprints: await makeSprints(tx, project.id, now),
    labelIds,
    epicIds: await makeEpics(tx, project.id, { template, people, now }),
  };
}

/** Keys must be unique in the installation: SHOP, SHOP2, … */
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
  project: ProjectSetup["project"],
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

/** Adds a project token whose secret is not kept: it exists only to be listed. */
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

async function addIngestKey(tx: Tx, projectId: number, userId: number, now: number) {
  await tx
    .insertInto("ingest_keys")
    .values({
      project_id: projectId,
      created_by: userId,
      name: "Default",
      created_at: at(now - 110 * DAY),
      last_used_at: at(now),
    })
    .execute();
}

async function makeLanes(tx: Tx, projectId: number): Promise<ProjectSetup["lanes"]> {
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
  "Fewer support requests about deliveries",
  "No page takes longer than two seconds",
  "Everything for the fall sale is ready",
  "Fix everything that was reported more than once",
  "Pilot the new flow with the Utrecht store",
];

/** Two-week sprints: three closed, one active, one planned. */
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
        capacity_issues: 14,
        capacity_minutes: 60 * 60,
        created_at: at(starts - 3 * DAY),
      })),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }, index) => ({ id, ...(sprints[index] as (typeof sprints)[number]) }));
}

async function makeLabels(tx: Tx, projectId: number, { labels }: ProjectTemplate): Promise<number[]> {
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
  { template: { epics }, people, now }: { template: ProjectTemplate; people: DemoPerson[]; now: number },
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
        // The last one has none yet.
        owner_id: index === epics.length - 1 ? null : (people[index]?.id ?? null),
        created_at: at(now - (90 - index) * DAY),
        updated_at: at(now - (30 - index) * DAY),
      })),
    )
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}
