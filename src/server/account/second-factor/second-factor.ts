import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import type { NewSecondFactor, RecoveryCodes, SecondFactor } from "../../../shared/sign-in.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Account } from "../../access/current-password.ts";
import type { Db } from "../../db/connect.ts";
import { invalid, notFound, refused } from "../../answers/errors.ts";
import { replaceRecoveryCodes, stepOf, useCode } from "./codes.ts";

/** One that waits for its confirmation is none yet. */
export async function readSecondFactor(db: Db, userId: number): Promise<SecondFactor> {
  const row = await db
    .selectFrom("second_factors as f")
    .leftJoin("recovery_codes as c", "c.user_id", "f.user_id")
    .select((query) => query.fn.count<number>("c.user_id").as("left"))
    .where("f.user_id", "=", userId)
    .where("f.confirmed_at", "is not", null)
    .groupBy("f.user_id")
    .executeTakeFirst();
  return { active: row !== undefined, recovery_codes_left: row?.left ?? 0 };
}

/**
 * Creates a secret, which no later response shows and which becomes active once a code confirms it. 422 while a second
 * factor is active.
 */
export async function startSecondFactor(db: Db, { id, email }: Account): Promise<NewSecondFactor> {
  const secret = new Secret({ size: 20 });
  const started = await db
    .insertInto("second_factors")
    .values({ user_id: id, secret: secret.base32 })
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .doUpdateSet({ secret: secret.base32, last_step: 0, created_at: sql`clock_timestamp()` })
        .where("second_factors.confirmed_at", "is", null),
    )
    .executeTakeFirst();
  if (started.numInsertedOrUpdatedRows !== 1n)
    throw refused("The second factor is active already. Turn it off first.");
  const otpauth = new TOTP({ issuer: "Signalbox", label: email, secret });
  return { secret: secret.base32, otpauth_url: otpauth.toString() };
}

/** From now on sign-in by password asks for a code. 422 on `code` when it is wrong or nothing waits for one. */
export async function confirmSecondFactor(db: Db, userId: number, code: string): Promise<RecoveryCodes> {
  return db.transaction().execute(async (tx) => {
    const pending = await tx
      .selectFrom("second_factors")
      .select("secret")
      .where("user_id", "=", userId)
      .where("confirmed_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (!pending) throw invalid({ code: ["confirms nothing: no second factor waits for it"] });
    const last_step = stepOf(pending.secret, code);
    if (last_step === undefined) throw wrongCode();
    await tx
      .updateTable("second_factors")
      .set({ confirmed_at: sql`now()`, last_step })
      .where("user_id", "=", userId)
      .execute();
    await recordAudit(tx, { kind: "second_factor.enabled", ...own(userId) });
    return { recovery_codes: await replaceRecoveryCodes(tx, userId) };
  });
}

/** New recovery codes; all earlier ones are void. 404 without an active second factor, 422 on `code`. */
export async function renewRecoveryCodes(db: Db, userId: number, code: string): Promise<RecoveryCodes> {
  return withCode(db, userId, code, async (tx) => {
    await recordAudit(tx, { kind: "second_factor.recovery_codes_renewed", ...own(userId) });
    return { recovery_codes: await replaceRecoveryCodes(tx, userId) };
  });
}

/** Sign-in asks for the password alone again. 404 without an active second factor, 422 on `code`. */
export async function removeSecondFactor(db: Db, userId: number, code: string): Promise<void> {
  await withCode(db, userId, code, async (tx) => {
    await tx.deleteFrom("second_factors").where("user_id", "=", userId).execute();
    await recordAudit(tx, { kind: "second_factor.disabled", ...own(userId) });
  });
}

const own = (userId: number) => ({ account_id: userId, subject: { type: "user", id: userId } }) as const;

/** Under the row's lock, so that two who change the second factor at once do it one after the other. */
async function withCode<T>(db: Db, userId: number, code: string, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const active = await tx
      .selectFrom("second_factors")
      .select("user_id")
      .where("user_id", "=", userId)
      .where("confirmed_at", "is not", null)
      .forUpdate()
      .executeTakeFirst();
    if (!active) throw notFound("No second factor is active.");
    if (!(await useCode(tx, userId, code))) throw wrongCode();
    return work(tx);
  });
}

const wrongCode = () => invalid({ code: ["is wrong or was used already"] });
