import type { z } from "zod";
import type { Profile } from "../../../shared/people.ts";
import type { preferencesBody } from "../../../shared/notifications.ts";
import type { Db } from "../../db/connect.ts";
import { sentColumns } from "../../db/patch-columns.ts";
import { readProfile } from "../../account/profile/read-profile.ts";

/** Changes the given preferences and returns the profile. */
export async function updatePreferences(
  db: Db,
  userId: number,
  body: z.output<typeof preferencesBody>,
): Promise<Profile> {
  const changes = sentColumns(body);
  if (changes) await db.updateTable("users").set(changes).where("id", "=", userId).execute();
  return readProfile(db, userId);
}
