import { sql } from "kysely";
import type { FastifyReply } from "fastify";
import type { Db } from "../db/connect.ts";
import { randomSecret, sha256 } from "./tokens.ts";

export const SESSION_DAYS = 30;

/** `__Host-` binds the cookie to this very host; browsers take that prefix on https only. */
export function cookieName(publicUrl: string): string {
  return publicUrl.startsWith("https:") ? "__Host-signalbox" : "signalbox";
}

/** Opens a session and returns the secret for its cookie; the database keeps the hash. */
export async function openSession(db: Db, userId: number, userAgent: string | undefined): Promise<string> {
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
  return secret;
}

export async function closeSession(db: Db, idHash: Buffer): Promise<void> {
  await db.deleteFrom("sessions").where("id_hash", "=", idHash).execute();
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
