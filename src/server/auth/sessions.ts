import { sql } from "kysely";
import type { FastifyReply } from "fastify";
import { recordAudit } from "../audit/record-audit.ts";
import type { Db } from "../db/connect.ts";
import { randomSecret, sha256 } from "./tokens.ts";

export const SESSION_DAYS = 30;

/** `__Host-` binds the cookie to this very host; browsers take that prefix on https only. */
export function cookieName(publicUrl: string): string {
  return publicUrl.startsWith("https:") ? "__Host-signalbox" : "signalbox";
}

/** Opens a session and returns the secret for its cookie; the database keeps the hash. In the caller's transaction, if any. */
export async function openSession(db: Db, userId: number, userAgent: string | undefined): Promise<string> {
  if (!db.isTransaction) return db.transaction().execute((tx) => openSession(tx, userId, userAgent));
  const secret = randomSecret();
  await db
    .insertInto("sessions")
    .values({
      id_hash: sha256(secret),
      user_id: userId,
      user_agent: userAgent?.slice(0, 255) ?? null,
      expires_at: sql`now() + make_interval(days => ${SESSION_DAYS})`,
    })
    .execute();
  await recordAudit(db, {
    kind: "session.created",
    account_id: userId,
    actor_id: userId,
    subject: { type: "user", id: userId },
  });
  return secret;
}

export async function closeSession(db: Db, idHash: Buffer): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const session = await tx
      .deleteFrom("sessions")
      .where("id_hash", "=", idHash)
      .returning("user_id as id")
      .executeTakeFirst();
    if (session)
      await recordAudit(tx, {
        kind: "session.ended",
        account_id: session.id,
        subject: { type: "user", ...session },
        details: { sessions: 1 },
      });
  });
}

export function setSessionCookie(reply: FastifyReply, publicUrl: string, secret: string) {
  reply.setCookie(cookieName(publicUrl), secret, {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: publicUrl.startsWith("https:"),
    maxAge: SESSION_DAYS * 86_400,
  });
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string) {
  reply.clearCookie(cookieName(publicUrl), { path: "/", secure: publicUrl.startsWith("https:") });
}
