import { sql } from "kysely";
import type { Db } from "../../src/server/db/connect.ts";

type TestSessions = {
  version: string;
  environment?: string;
  hoursAgo?: number;
  sessions: number;
  crashed?: number;
};

/** Stores the sessions of a release that has sent an event or was deployed, in one hour. */
export async function makeSessions(
  db: Db,
  projectId: number,
  { version, environment = "production", hoursAgo = 0, sessions, crashed = 0 }: TestSessions,
): Promise<void> {
  const { id } = await db
    .selectFrom("releases")
    .select("id")
    .where("project_id", "=", projectId)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  await db
    .insertInto("release_sessions")
    .values({
      release_id: id,
      project_id: projectId,
      environment,
      hour: sql<string>`date_trunc('hour', now() - make_interval(hours => ${hoursAgo}))`,
      sessions,
      crashed,
    })
    .execute();
}

/** Stores how many users a release has had. `level` is above 0 if only a sample of them is kept. */
export async function makeSessionUsers(
  db: Db,
  projectId: number,
  { version, users, crashed, level = 0 }: { version: string; users: number; crashed: number; level?: number },
): Promise<void> {
  await db
    .insertInto("release_user_counts")
    .columns(["release_id", "environment", "users", "crashed_users", "level"])
    .expression((select) =>
      select
        .selectFrom("releases")
        .where("project_id", "=", projectId)
        .where("version", "=", version)
        .select([
          "id",
          sql<string>`'production'`.as("environment"),
          sql<number>`${users}::int`.as("users"),
          sql<number>`${crashed}::int`.as("crashed_users"),
          sql<number>`${level}::int`.as("level"),
        ]),
    )
    .execute();
}
