import { sql } from "kysely";
import type { z } from "zod";
import { PREFERENCES, type Profile, type profileBody } from "../../shared/people.ts";
import type { Db } from "../db/connect.ts";
import { invalid, notFound } from "../http/errors.ts";

/** The profile resource with the eleven preferences (decisions.md 4). */
export async function readProfile(db: Db, userId: number): Promise<Profile> {
  const row = await db
    .selectFrom("users as u")
    .select([
      "u.id",
      "u.username",
      "u.email",
      "u.first_name",
      "u.last_name",
      "u.profile_picture",
      "u.time_zone",
    ])
    .select((query) =>
      query
        .exists(
          query
            .selectFrom("workspace_members as m")
            .select(sql`1`.as("one"))
            .whereRef("m.user_id", "=", "u.id")
            .where("m.is_admin", "=", true),
        )
        .as("is_admin"),
    )
    .select("u.created_at")
    .select(PREFERENCES.map((preference) => `u.${preference}` as const))
    .where("u.id", "=", userId)
    .executeTakeFirst();
  if (!row) throw notFound("There is no such person.");
  return row as unknown as Profile;
}

/** Changes the sent fields. 422 on `username` or `email` when somebody else has it. */
export async function updateProfile(
  db: Db,
  userId: number,
  body: z.output<typeof profileBody>,
): Promise<Profile> {
  const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  if (Object.keys(changes).length > 0)
    await refuseTaken(() => db.updateTable("users").set(changes).where("id", "=", userId).execute());
  return readProfile(db, userId);
}

/** Runs an insert or update of a user; a taken name or address is the field's error. */
export async function refuseTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint === "users_username_key") throw invalid({ username: ["is taken"] });
    if (constraint === "users_email_key") throw invalid({ email: ["is taken"] });
    throw error;
  }
}
