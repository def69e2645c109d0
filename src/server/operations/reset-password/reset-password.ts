import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { recordAudit } from "../../record/audit.ts";
import { hashPassword } from "../../access/passwords.ts";
import { isOpen } from "../../access/sessions.ts";
import type { Config } from "../../config/config.ts";
import { attachDatabase } from "../../db/attach-database.ts";
import { connect, type Db } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { makeLogger } from "../../config/make-logger.ts";
import { StartError } from "../../config/start-error.ts";

/** `reset-password EMAIL [--second-factor]`: prints a new password, once, on stdout; works beside a running server. */
export async function runResetPassword(config: Config, email: string, secondFactor: boolean): Promise<void> {
  const log = makeLogger(config.logLevel, 2);
  const source = await attachDatabase(config, log);
  try {
    await migrate(source.url);
    const database = connect(source.url, (error) => log.warn({ err: error }));
    try {
      const { password, sessions, second_factor } = await resetPassword(database.db, email, secondFactor);
      process.stdout.write(`${password}\n`);
      process.stderr.write(
        `This is the new password of ${email}. Sessions ended: ${sessions}. ${ABOUT[second_factor]}Change it after signing in.\n`,
      );
    } finally {
      await database.close();
    }
  } finally {
    await source.stop();
  }
}

const ABOUT = {
  none: "",
  removed: "The second factor is gone. ",
  kept: "Signing in still asks for the second factor; --second-factor takes it away. ",
} as const;

type Reset = { password: string; sessions: number; second_factor: keyof typeof ABOUT };

/**
 * Gives the person with this address a random password, ends all their sessions and takes back a link to a new
 * password; tokens stay, and so does the second factor unless it is to go. It says nothing of whose the address is.
 * Throws StartError when there is nobody with it.
 */
export async function resetPassword(db: Db, email: string, removeSecondFactor = false): Promise<Reset> {
  const password = randomPassword();
  const password_hash = await hashPassword(password);
  return db.transaction().execute(async (tx) => {
    const user = await tx
      .updateTable("users")
      .set({ password_hash })
      .where(sql<string>`lower(email)`, "=", sql<string>`lower(${email.trim()})`)
      .returning("id")
      .executeTakeFirst();
    if (!user) throw new StartError(`Nobody here has the address ${email}.`);
    const sessions = await tx
      .deleteFrom("sessions")
      .where("user_id", "=", user.id)
      .returning(isOpen.as("is_open"))
      .execute();
    await tx.deleteFrom("password_resets").where("user_id", "=", user.id).execute();
    // By whoever runs the machine, who is nobody here.
    await recordAudit(tx, {
      kind: "password.reset",
      account_id: user.id,
      actor_id: null,
      subject: { type: "user", id: user.id },
    });
    return {
      password,
      sessions: sessions.filter(({ is_open }) => is_open).length,
      second_factor: await secondFactorAfter(tx, user.id, removeSecondFactor),
    };
  });
}

async function secondFactorAfter(tx: Db, userId: number, remove: boolean): Promise<keyof typeof ABOUT> {
  const factor = await tx
    .selectFrom("second_factors")
    .select("confirmed_at")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  if (!factor) return "none";
  if (!remove) return "kept";
  await tx.deleteFrom("second_factors").where("user_id", "=", userId).execute();
  await recordAudit(tx, {
    kind: "second_factor.disabled",
    account_id: userId,
    actor_id: null,
    subject: { type: "user", id: userId },
  });
  return "removed";
}

/** Without those that look alike. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const GROUPS = 5;
const LENGTH = 5;

/** 125 random bits that can be read out over a telephone. */
function randomPassword(): string {
  const group = () => Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}
