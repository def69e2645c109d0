import { sql } from "kysely";
import { PREFERENCES, type Profile } from "../../../shared/people.ts";
import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";

export async function readProfile(db: Db, userId: number): Promise<Profile> {
  const row = await db
    .selectFrom("users as u")
    .select([
      "u.id",
      "u.username",
      "u.email",
      "u.email_verified",
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
    .select(
      sql<string | null>`(
        select c.email from address_confirmations c
        where c.user_id = u.id and fold_case(c.email) <> fold_case(u.email))`.as("pending_email"),
    )
    .select(sql<boolean>`u.password_hash is not null`.as("has_password"))
    .select("u.created_at")
    .select(PREFERENCES.map((preference) => `u.${preference}` as const))
    .where("u.id", "=", userId)
    .executeTakeFirst();
  if (!row) throw notFound("There is no such user.");
  return row as unknown as Profile;
}
