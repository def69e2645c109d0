import { sql } from "kysely";
import { profileAnswer } from "../../../shared/people.ts";
import { signInBody, signInRefusedAnswer } from "../../../shared/sign-in.ts";
import type { Api, Context } from "../../access/context.ts";
import { recordAudit } from "../../record/audit.ts";
import { passwordMatches } from "../../access/passwords.ts";
import {
  browserOf,
  clearSessionCookie,
  closeSession,
  openSession,
  setSessionCookie,
} from "../../access/sessions.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { HttpError, unauthorized } from "../../answers/errors.ts";
import { noBody } from "../../answers/operation.ts";
import { readProfile } from "../profile/profile.ts";
import { requireSecondFactor } from "../second-factor/codes.ts";

export function sessionRoutes(api: Api, { database: { db }, limiter, config, publicUrl }: Context) {
  api.post(
    "/api/session",
    {
      config: { needs: "nothing", limit: "sign_in" },
      schema: {
        operationId: "signIn",
        summary: "Sign in",
        sends: ["Set-Cookie"],
        body: signInBody,
        response: { 200: profileAnswer, 401: signInRefusedAnswer },
      },
    },
    async (request, reply) => {
      const { email, password, code } = request.body;
      // The guard has counted the client; this counts the account, from wherever it is tried.
      await limiter.require(`sign_in:to:${email.toLowerCase()}`, config.limits.sign_in);
      const { id: userId, password_hash } = await whoHasPassword(db, email, password);
      const secret = await db
        .transaction()
        .execute(async (tx) => {
          await holdPassword(tx, userId, password_hash);
          await requireSecondFactor(tx, userId, code);
          return openSession(tx, userId, browserOf(request, publicUrl()));
        })
        .catch(async (error: Error) => {
          // A code that is only asked for is no refusal.
          if (error instanceof HttpError && code !== undefined) await recordRefusal(db, userId, "code");
          throw error;
        });
      setSessionCookie(reply, publicUrl(), secret);
      return readProfile(db, userId);
    },
  );

  api.delete(
    "/api/session",
    {
      config: { needs: "session" },
      schema: {
        operationId: "signOut",
        summary: "Sign out",
        sends: ["Set-Cookie"],
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      if (request.caller.kind === "session") await closeSession(db, request.caller.id_hash);
      clearSessionCookie(reply, publicUrl());
      return reply.code(204).send();
    },
  );
}

/**
 * Whoever changes the password meanwhile ends all sessions: this one is either there to be ended, or not opened. 401
 * when the password that was given is no longer theirs.
 */
async function holdPassword(tx: Tx, userId: number, passwordHash: string | null): Promise<void> {
  const user = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .where("password_hash", "=", passwordHash)
    .forShare()
    .executeTakeFirst();
  if (!user) throw wrongPassword();
}

/** The user; 401 with the same words after the same time for an unknown address and for a wrong password. */
async function whoHasPassword(db: Db, email: string, password: string) {
  const user = await db
    .selectFrom("users")
    .select(["id", "password_hash"])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst();
  const matches = await passwordMatches(password, user?.password_hash);
  if (user && matches) return user;
  await recordRefusal(db, user?.id ?? null, "password");
  throw wrongPassword();
}

const wrongPassword = () => unauthorized("The e-mail address or the password is wrong.");

/** In a transaction of its own. Of an address nobody has, too: it takes the same time, and nobody is shown it. */
async function recordRefusal(db: Db, userId: number | null, wrong: "password" | "code"): Promise<void> {
  await recordAudit(db, {
    kind: "session.refused",
    account_id: userId,
    actor_id: null,
    ...(userId === null ? {} : { subject: { type: "user", id: userId } }),
    details: { wrong },
  });
}
