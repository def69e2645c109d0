import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";
import { at, DAY } from "./times.ts";
import type { Random } from "./samples/seeded-random.ts";

export type DemoPerson = { id: number; username: string; first_name: string; last_name: string };

type Name = readonly [first_name: string, last_name: string, time_zone: string];

/** The administrator created in an installation without users. */
const ADMINISTRATOR: Name = ["Nora", "Lindqvist", "Europe/Stockholm"];

const COLLEAGUES: readonly Name[] = [
  ["Mateo", "Rivas", "Europe/Madrid"],
  ["Aisha", "Bello", "Africa/Lagos"],
  ["Jonas", "Weber", "Europe/Berlin"],
  ["Priya", "Raman", "Asia/Kolkata"],
  ["Tomasz", "Zielinski", "Europe/Warsaw"],
  ["Chloé", "Martin", "Europe/Paris"],
  ["Kenji", "Mori", "Asia/Tokyo"],
  ["Sofia", "Almeida", "Europe/Lisbon"],
  ["Liam", "O'Connor", "Europe/Dublin"],
  ["Freya", "Holm", "Europe/Copenhagen"],
  ["Sam", "Whitfield", "America/New_York"],
];

export const EMAIL = "demo@example.com";

/** Creates the administrator, without a password. */
export async function makeAdministrator(tx: Tx): Promise<number> {
  const [first_name, last_name, time_zone] = ADMINISTRATOR;
  const { id } = await tx
    .insertInto("users")
    .values({ first_name, last_name, time_zone, username: "nora", email: EMAIL })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Creates eleven colleagues, who cannot sign in and receive no email, and returns them after the administrator. If one
 * of their usernames is taken, all of them get a numeric suffix.
 */
export async function makePeople(
  tx: Tx,
  workspaceId: number,
  administratorId: number,
  now: number,
): Promise<DemoPerson[]> {
  const suffix = await freeSuffix(tx);
  const colleagues = await tx
    .insertInto("users")
    .values(
      COLLEAGUES.map(([first_name, last_name, time_zone], index) => ({
        first_name,
        last_name,
        time_zone,
        username: usernameOf(first_name) + suffix,
        email: `${usernameOf(first_name)}${suffix}@northwind.example`,
        email_notifications_enabled: false,
        created_at: at(now - (120 - index) * DAY),
      })),
    )
    .returning(["id", "username", "first_name", "last_name"])
    .execute();
  await tx
    .insertInto("workspace_members")
    .values(
      colleagues.map(({ id }, index) => ({
        workspace_id: workspaceId,
        user_id: id,
        is_admin: index === 0,
        created_at: at(now - (120 - index) * DAY),
      })),
    )
    .execute();
  const administrator = await tx
    .selectFrom("users")
    .select(["id", "username", "first_name", "last_name"])
    .where("id", "=", administratorId)
    .executeTakeFirstOrThrow();
  return [administrator, ...colleagues];
}

const usernameOf = (name: string) => name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

async function freeSuffix(tx: Tx): Promise<string> {
  const names = COLLEAGUES.map(([first_name]) => usernameOf(first_name));
  const { rows } = await sql<{ suffix: string }>`
    select coalesce(nullif(n, 1)::text, '') as suffix from generate_series(1, 10000) n
    where not exists (
      select from users u, unnest(${names}::text[]) name
      where fold_case(u.username) = name || coalesce(nullif(n, 1)::text, '')
        or fold_case(u.email) = name || coalesce(nullif(n, 1)::text, '') || '@northwind.example')
    order by n limit 1`.execute(tx);
  return rows[0]?.suffix ?? "";
}

export async function makeTeams(
  tx: Tx,
  workspaceId: number,
  people: DemoPerson[],
  random: Random,
): Promise<{ id: number; name: string; members: DemoPerson[] }[]> {
  const rows = await tx
    .insertInto("teams")
    .values(["Storefront", "Workshop"].map((name) => ({ workspace_id: workspaceId, name })))
    .returning(["id", "name"])
    .execute();
  const teams = rows.map((team) => ({
    ...team,
    members: [people[0] as DemoPerson, ...random.some(people.slice(1), 4)],
  }));
  await tx
    .insertInto("team_members")
    .values(
      teams.flatMap(({ id, members }) =>
        members.map((member) => ({ team_id: id, workspace_id: workspaceId, user_id: member.id })),
      ),
    )
    .execute();
  return teams;
}
