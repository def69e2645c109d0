import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { recordAudit } from "../audit/record-audit.ts";
import { hashPassword } from "../auth/passwords.ts";
import { isOpen } from "../auth/sessions.ts";
import type { Config } from "../config.ts";
import { attachDatabase } from "../db/attach.ts";
import { connect, type Db } from "../db/connect.ts";
import { migrate } from "../db/migrate.ts";
import { makeLogger } from "../log.ts";
import { StartError } from "../start-error.ts";

/** `reset-password EMAIL`: prints a new password, once, on stdout; works beside a running server. */
export async function runResetPassword(config: Config, email: string): Promise<void> {
  const log = makeLogger(config.logLevel, 2);
  const source = await attachDatabase(config, log);
  try {
    await migrate(source.url);
    const database = connect(source.url, (error) => log.warn({ err: error }));
    try {
      const { password, sessions } = await resetPassword(database.db, email);
      process.stdout.write(`${password}\n`);
      process.stderr.write(
        `This is the new password of ${email}. Sessions ended: ${sessions}. Change it after signing in.\n`,
      );
    } finally {
      await database.close();
    }
  } finally {
    await source.stop();
  }
}

/**
 * Gives the person with this address a random password, ends all their sessions and takes back a link to a new
 * password; tokens stay. It says nothing of whose the address is. Throws StartError when there is nobody with it.
 */
export async function resetPassword(db: Db, email: string): Promise<{ password: string; sessions: number }> {
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
    return { password, sessions: sessions.filter(({ is_open }) => is_open).length };
  });
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
