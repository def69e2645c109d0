import { sql } from "kysely";
import type { z } from "zod";
import { foldCase } from "../../../shared/fold-case.ts";
import type { Profile, profileBody } from "../../../shared/people.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { sentColumns } from "../../db/patch-columns.ts";
import { recordAddressChange } from "./record-address-change.ts";
import { requestConfirmation } from "./request-confirmation.ts";
import { readProfile } from "./read-profile.ts";
import { refuseTaken } from "./refuse-taken.ts";

type Changes = Omit<z.output<typeof profileBody>, "current_password">;

/**
 * Updates the sent fields. With `sendsMail`, a changed address takes effect when the link that it is sent is opened, whether
 * or not another account has it. Without, it takes effect at once and is unverified: 422 on `email` if another account has
 * it. 422 on `username` if another user has it.
 */
export async function updateProfile(
  db: Db,
  userId: number,
  { email, ...rest }: Changes,
  { sendsMail }: { sendsMail: boolean },
): Promise<Profile> {
  const changes = sentColumns(rest);
  await db.transaction().execute(async (tx) => {
    if (changes)
      await refuseTaken(() => tx.updateTable("users").set(changes).where("id", "=", userId).execute());
    if (email !== undefined) await changeAddress(tx, userId, email, sendsMail);
  });
  return readProfile(db, userId);
}

async function changeAddress(tx: Tx, userId: number, email: string, sendsMail: boolean): Promise<void> {
  const before = await tx
    .selectFrom("users")
    .select(["email", "email_verified"])
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!before || email === before.email) return;
  // A different case reaches the same mailbox.
  const isSameMailbox = foldCase(email) === foldCase(before.email);
  if (sendsMail && !isSameMailbox) return requestConfirmation(tx, userId, email);
  await tx.deleteFrom("address_confirmations").where("user_id", "=", userId).execute();
  await refuseTaken(() =>
    tx
      .updateTable("users")
      // The new address may belong to someone else.
      .set({ email, email_verified: sql<boolean>`email_verified and ${isSameMailbox}` })
      .where("id", "=", userId)
      .execute(),
  );
  await recordAddressChange(tx, userId, email, before);
}
