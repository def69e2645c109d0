import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../../src/server/db/connect.ts";
import { hashOf } from "./error-events.ts";
import type { TestProject } from "./project.ts";

/** A group with past events. Days are counted back from today; those in `days` are UTC days. */
export type PastGroup = {
  environment?: string;
  exception_class?: string;
  latest_message?: string;
  status?: 0 | 1 | 2;
  occurrence_count?: number;
  first_seen?: number;
  last_seen?: number;
  /** Days ago → count. Missing days have no events. */
  days?: Record<number, number>;
  /** Days since each user was last seen. The users are `hashOf(0)`, `hashOf(1)`, … */
  users?: number[];
  /** Name → count and days since it was last seen. */
  hosts?: Record<string, [count: number, lastSeen: number]>;
  releases?: string[];
};

let made = 0;
const daysAgo = (days: number) => sql<string>`now() - make_interval(secs => ${days * 86_400}::float8)`;

/** An event with the stack trace of the group with this number. `makeErrorGroup` numbers its groups. */
export const eventOf = (place: number) => ({ stack_trace: `#0 /srv/app/src/Place${place}.php(12): run()` });

/** Sends an event, then changes its group as if it had received events on earlier days. */
export async function makeErrorGroup(
  db: Db,
  project: TestProject,
  past: PastGroup = {},
): Promise<{ id: number; place: number }> {
  const place = ++made;
  const { environment = "production", exception_class = "RuntimeException", latest_message = "" } = past;
  await project.send({ ...eventOf(place), environment, exception_class, message: latest_message });
  const lastSeen = past.last_seen ?? 0;
  const { id } = await db
    .updateTable("error_groups")
    .set({
      occurrence_count: past.occurrence_count ?? 1,
      status: past.status ?? 0,
      first_seen_at: daysAgo(past.first_seen ?? lastSeen),
      last_seen_at: daysAgo(lastSeen),
      last_seen_span: sql`date_bin('10 minutes', ${daysAgo(lastSeen)}, 'epoch')`,
      updated_at: daysAgo(lastSeen),
    })
    .where("id", "=", (eb) => eb.selectFrom("error_groups").select((of) => of.fn.max("id").as("id")))
    .where("project_id", "=", project.id)
    .returning("id")
    .executeTakeFirstOrThrow();
  await setDays(db, id, past.days ?? {});
  await addHosts(db, id, past.hosts ?? {});
  await addReleases(db, id, past.releases ?? [], lastSeen);
  if (past.users) await addUsers(db, id, past.users);
  return { id, place };
}

/** Counts are kept for the 90 days that end with last_seen_at. */
async function setDays(db: Db, groupId: number, days: Record<number, number>) {
  const counts = sql`(
    select array_agg(coalesce((${JSON.stringify(days)}::jsonb ->> (last.ago + n)::text)::int, 0) order by n)
    from generate_series(0, 89) n,
      lateral (select (now() at time zone 'UTC')::date - (last_seen_at at time zone 'UTC')::date as ago) last)`;
  await sql`update error_groups set daily_counts = ${counts} where id = ${groupId}`.execute(db);
}

async function addHosts(db: Db, groupId: number, hosts: Record<string, [number, number]>) {
  for (const [name, [count, ago]] of Object.entries(hosts))
    await db
      .insertInto("error_group_hosts")
      .values({ group_id: groupId, name, count, last_seen_at: daysAgo(ago) })
      .execute();
}

async function addReleases(db: Db, groupId: number, releases: string[], lastSeen: number) {
  for (const release of releases)
    await db
      .insertInto("error_group_releases")
      .values({
        group_id: groupId,
        release,
        release_hash: createHash("sha256").update(release).digest(),
        occurrence_count: 1,
        first_seen_at: daysAgo(lastSeen),
        last_seen_at: daysAgo(lastSeen),
      })
      .execute();
}

async function addUsers(db: Db, groupId: number, users: number[]) {
  for (const [n, ago] of users.entries())
    await db
      .insertInto("error_group_users")
      .values({ group_id: groupId, user_hash: Buffer.from(hashOf(n), "hex"), last_seen_at: daysAgo(ago) })
      .execute();
  await db
    .insertInto("error_group_counts")
    .values({ group_id: groupId, users: users.length, users_seen_since: daysAgo(Math.max(...users)) })
    .execute();
}
