import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import { recordAudit } from "../record/audit.ts";
import type { Db, Tx } from "../db/connect.ts";
import { hostCookie } from "../http/host-cookie.ts";
import { randomSecret, sha256 } from "./tokens.ts";

const SESSION_DAYS = 30;

const cookie = hostCookie("signalbox", SESSION_DAYS * 86_400);

export const cookieName = cookie.nameOn;
export const setSessionCookie = cookie.set;
export const clearSessionCookie = cookie.clear;

/** How long a browser is known after its last sign-in. Browsers limit the lifetime of cookies to 400 days. */
export const DEVICE_DAYS = 400;

const deviceCookie = hostCookie("signalbox-device", DEVICE_DAYS * 86_400);

export const setDeviceCookie = deviceCookie.set;

/** The browser that signs in: its user agent, and the secrets in its cookies of the session and the device. */
export type Browser = {
  userAgent: string | undefined;
  secret?: string | undefined;
  device?: string | undefined;
};

export const browserOf = ({ headers, cookies }: FastifyRequest, publicUrl: string): Browser => ({
  userAgent: headers["user-agent"],
  secret: cookies[cookieName(publicUrl)],
  device: cookies[deviceCookie.nameOn(publicUrl)],
});

/** Opens a session, ends the browser's previous one, and returns the secret for the cookie. Only its hash is stored. */
export async function openSession(tx: Tx, userId: number, browser: Browser): Promise<string> {
  if (browser.secret !== undefined) await deleteSession(tx, sha256(browser.secret));
  const secret = randomSecret();
  await tx
    .insertInto("sessions")
    .values({
      id_hash: sha256(secret),
      user_id: userId,
      user_agent: browser.userAgent?.slice(0, 255) ?? null,
      expires_at: sql`now() + make_interval(days => ${SESSION_DAYS})`,
    })
    .execute();
  await recordAudit(tx, {
    kind: "session.created",
    account_id: userId,
    actor_id: userId,
    subject: { type: "user", id: userId },
  });
  return secret;
}

export async function closeSession(db: Db, idHash: Buffer): Promise<void> {
  await db.transaction().execute((tx) => deleteSession(tx, idHash));
}

async function deleteSession(tx: Tx, idHash: Buffer): Promise<void> {
  const session = await tx
    .deleteFrom("sessions")
    .where("id_hash", "=", idHash)
    .returning(["user_id", isOpen.as("is_open")])
    .executeTakeFirst();
  if (session?.is_open) await recordSessionsEnded(tx, session.user_id, 1);
}

/** Ends the user's sessions except `keep`. */
export async function endSessions(tx: Tx, userId: number, keep: Buffer): Promise<void> {
  const ended = await tx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id_hash", "<>", keep)
    .where(isOpen)
    .executeTakeFirst();
  const count = Number(ended.numDeletedRows);
  if (count > 0) await recordSessionsEnded(tx, userId, count);
}

/** Not expired. Expired rows are deleted later; until then they do not count. */
export const isOpen = sql<boolean>`expires_at > now()`;

export const recordSessionsEnded = (tx: Tx, userId: number, sessions: number) =>
  recordAudit(tx, {
    kind: "session.ended",
    account_id: userId,
    actor_id: userId,
    subject: { type: "user", id: userId },
    details: { sessions },
  });
