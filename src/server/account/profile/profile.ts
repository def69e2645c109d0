import { sql } from "kysely";
import type { z } from "zod";
import { PREFERENCES, type Profile, type profileBody } from "../../../shared/people.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db } from "../../db/connect.ts";
import { sentColumns } from "../../db/patch-columns.ts";
import { invalid, notFound } from "../../answers/errors.ts";

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
      "u.theme",
      "u.single_keys",
    ])
    .select((query) =>
      query
        .exists(
          query
            .selectFrom("workspace_members as m")
            .select(sql`1`.as("one"))
            .whereRef("m.user_id", "=", "u.id")
            .where("m.is_admin", "=", true)
            .where("m.deactivated_at", "is", null),
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

type Changes = Omit<z.output<typeof profileBody>, "current_password">;

/**
 * Changes the sent fields. 422 on `username` or `email` when somebody else has it. Another address is unverified, and a
 * link to a new password that went to the old one works no more.
 */
export async function updateProfile(db: Db, userId: number, body: Changes): Promise<Profile> {
  const changes = sentColumns(body);
  if (changes)
    await db.transaction().execute(async (tx) => {
      const before = await tx
        .selectFrom("users")
        .select("email")
        .where("id", "=", userId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      const { email } = changes;
      // Anybody can write anybody's address there.
      const verified =
        email === undefined
          ? {}
          : { email_verified: sql<boolean>`email_verified and lower(email) = lower(${email})` };
      await refuseTaken(() =>
        tx
          .updateTable("users")
          .set({ ...changes, ...verified })
          .where("id", "=", userId)
          .execute(),
      );
      if (email === undefined) return;
      await tx.deleteFrom("password_resets").where("user_id", "=", userId).execute();
      if (email === before?.email) return;
      await recordAudit(tx, {
        kind: "profile.email_changed",
        account_id: userId,
        subject: { type: "user", id: userId },
        details: { email, email_before: before?.email },
      });
    });
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
