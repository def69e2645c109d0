import type { z } from "zod";
import type { signInBody } from "../../../shared/sign-in.ts";
import { passwordMatches } from "../../access/passwords.ts";
import { openSession, type Browser } from "../../access/sessions.ts";
import { HttpError, unauthorized } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { sameText } from "../../db/same-text.ts";
import { recordAudit } from "../../record/audit.ts";
import { offerConfirmation } from "../profile/request-confirmation.ts";
import { noteDevice } from "../devices/note-device.ts";
import { countWrongCode } from "../second-factor/count-wrong-codes.ts";
import { requireSecondFactor } from "../second-factor/use-code.ts";

/**
 * Opens a session for the browser; returns the secrets of its cookies. With `sendsMail`, an unverified address is sent a link
 * to confirm it. 401 for a wrong address, password or code.
 */
export async function signIn(
  db: Db,
  { email, password, code }: z.output<typeof signInBody>,
  browser: Browser,
  { sendsMail }: { sendsMail: boolean },
): Promise<Opened> {
  const user = await findUser(db, email, password);
  const open = () =>
    db.transaction().execute(async (tx) => {
      await lockPassword(tx, user);
      await requireSecondFactor(tx, user.id, code);
      const device = await noteDevice(tx, user.id, browser);
      if (sendsMail) await offerConfirmation(tx, user.id);
      return { userId: user.id, secret: await openSession(tx, user.id, browser), device };
    });
  // A request without a code is the normal first step. It is neither counted nor worth an audit entry.
  if (code === undefined) return open();
  return countWrongCode(db, user.id, open).catch(async (error: Error) => {
    if (error instanceof HttpError) await recordRefusal(db, user.id, "code");
    throw error;
  });
}

/** `device`: the secret by which the browser is known. */
type Opened = { userId: number; secret: string; device: string };

type User = { id: number; password_hash: string | null };

/** 401, with the same message after the same time for an unknown address and for a wrong password. */
async function findUser(db: Db, email: string, password: string): Promise<User> {
  const user = await db
    .selectFrom("users")
    .select(["id", "password_hash"])
    .where(sameText("email", email))
    .executeTakeFirst();
  const matches = await passwordMatches(password, user?.password_hash);
  if (user && matches) return user;
  await recordRefusal(db, user?.id ?? null, "password");
  throw wrongPassword();
}

/**
 * A concurrent password change deletes all sessions; the lock ensures it either sees this one or prevents it. 401 if
 * the password has changed since it was checked.
 */
async function lockPassword(tx: Tx, { id, password_hash }: User): Promise<void> {
  const user = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("password_hash", "=", password_hash)
    .forShare()
    .executeTakeFirst();
  if (!user) throw wrongPassword();
}

const wrongPassword = () => unauthorized("The email address or the password is wrong.");

/**
 * Recorded in its own transaction, because the sign-in's is rolled back. Attempts on unknown addresses are recorded
 * too, visible to nobody, so that the timing does not reveal which addresses have accounts.
 */
async function recordRefusal(db: Db, userId: number | null, wrong: "password" | "code"): Promise<void> {
  await recordAudit(db, {
    kind: "session.refused",
    account_id: userId,
    actor_id: null,
    ...(userId === null ? {} : { subject: { type: "user", id: userId } }),
    details: { wrong },
  });
}
