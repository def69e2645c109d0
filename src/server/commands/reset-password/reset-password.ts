import { randomInt } from "node:crypto";
import { recordAudit } from "../../record/audit.ts";
import { setPassword } from "../../account/password/set-password.ts";
import { revokeTokens } from "../../account/personal-tokens/revoke-tokens.ts";
import { hashPassword } from "../../access/passwords.ts";
import { isOpen } from "../../access/sessions.ts";
import type { Config } from "../../config/config.ts";
import { attachDatabase } from "../../db/attach-database.ts";
import { connect, type Db } from "../../db/connect.ts";
import { sameText } from "../../db/same-text.ts";
import { queueSecurityMail } from "../../mail/security-mail.ts";
import { migrate } from "../../db/migrate.ts";
import { makeLogger } from "../../config/make-logger.ts";
import { StartError } from "../../config/start-error.ts";

/** `reset-password EMAIL [--second-factor]`: prints a new password to stdout. Can run while the server is running. */
export async function runResetPassword(config: Config, email: string, secondFactor: boolean): Promise<void> {
  const log = makeLogger(config.logLevel, 2);
  const source = await attachDatabase(config, log);
  try {
    await migrate(source.directUrl);
    const database = connect(source.directUrl, (error) => log.warn({ err: error }));
    try {
      const { password, tokens, sessions, second_factor } = await resetPassword(
        database.db,
        email,
        secondFactor,
      );
      process.stdout.write(`${password}\n`);
      process.stderr.write(
        `This is the new password of ${email}. Sessions ended: ${sessions}. Personal tokens revoked: ${tokens}. ${SECOND_FACTOR_NOTES[second_factor]}Change the password after signing in.\n`,
      );
    } finally {
      await database.close();
    }
  } finally {
    await source.stop();
  }
}

const SECOND_FACTOR_NOTES = {
  none: "",
  removed: "The second factor has been removed. ",
  kept: "Signing in still requires the second factor; use --second-factor to remove it. ",
} as const;

type Reset = {
  password: string;
  tokens: number;
  sessions: number;
  second_factor: keyof typeof SECOND_FACTOR_NOTES;
};

/**
 * Sets a random password for the user with this email address, ends their sessions, revokes the personal tokens made since
 * the last password and invalidates pending reset links. Other tokens remain valid, and the second factor is kept unless
 * `removeSecondFactor` is set. Throws StartError if no user has the address.
 */
export async function resetPassword(db: Db, email: string, removeSecondFactor = false): Promise<Reset> {
  const password = randomPassword();
  const password_hash = await hashPassword(password);
  return db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom("users")
      .where(sameText("email", email.trim()))
      .select("id")
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user) throw new StartError(`No user has the email address ${email}.`);
    const tokens = await revokeTokens(tx, user.id, "since the password was set");
    await setPassword(tx, user.id, password_hash);
    const sessions = await tx
      .deleteFrom("sessions")
      .where("user_id", "=", user.id)
      .returning(isOpen.as("is_open"))
      .execute();
    await tx.deleteFrom("password_resets").where("user_id", "=", user.id).execute();
    await queueSecurityMail(tx, user.id, {
      subject: "Your password was changed",
      body: "An operator of the server set a new password, which ended all sessions.",
    });
    // No actor: the command is run by an operator, not by a user.
    await recordAudit(tx, {
      kind: "password.reset",
      account_id: user.id,
      actor_id: null,
      subject: { type: "user", id: user.id },
    });
    return {
      password,
      tokens,
      sessions: sessions.filter(({ is_open }) => is_open).length,
      second_factor: await handleSecondFactor(tx, user.id, removeSecondFactor),
    };
  });
}

async function handleSecondFactor(tx: Db, userId: number, remove: boolean): Promise<Reset["second_factor"]> {
  const factor = await tx
    .selectFrom("second_factors")
    .select("confirmed_at")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  if (!factor) return "none";
  if (!remove) return "kept";
  await tx.deleteFrom("second_factors").where("user_id", "=", userId).execute();
  await queueSecurityMail(tx, userId, {
    subject: "Your second factor was removed",
    body: "An operator of the server removed the second factor.",
  });
  await recordAudit(tx, {
    kind: "second_factor.disabled",
    account_id: userId,
    actor_id: null,
    subject: { type: "user", id: userId },
  });
  return "removed";
}

/** Without letters and digits that look alike. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const GROUPS = 5;
const LENGTH = 5;

/** 125 random bits in a form that can be read out over the phone. */
function randomPassword(): string {
  const group = () => Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}
