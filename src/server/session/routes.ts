import { sessionBody } from "../../shared/people.ts";
import type { Api, Context } from "../app.ts";
import { passwordMatches } from "../auth/passwords.ts";
import { clearSessionCookie, closeSession, openSession, setSessionCookie } from "../auth/sessions.ts";
import type { Db } from "../db/connect.ts";
import { tooMany, unauthorized } from "../http/errors.ts";
import { readProfile } from "../profile/profile.ts";

export function sessionRoutes(api: Api, { database: { db }, limiter, config, publicUrl }: Context) {
  api.post(
    "/api/session",
    { config: { needs: "nothing", limit: "sign_in" }, schema: { body: sessionBody } },
    async (request, reply) => {
      const { email, password } = request.body;
      // The guard has counted the client; this counts the account, from wherever it is tried.
      const verdict = await limiter.take(`sign_in:to:${email.toLowerCase()}`, config.limits.sign_in);
      if (!verdict.allowed) throw tooMany(verdict.retryAfter);
      const userId = await signIn(db, email, password);
      setSessionCookie(reply, publicUrl(), await openSession(db, userId, request.headers["user-agent"]));
      return readProfile(db, userId);
    },
  );

  api.delete("/api/session", { config: { needs: "session" } }, async (request, reply) => {
    if (request.caller.kind === "session") await closeSession(db, request.caller.id_hash);
    clearSessionCookie(reply, publicUrl());
    return reply.code(204).send();
  });
}

/** The user's id; 401 with the same words after the same time for an unknown address and for a wrong password. */
async function signIn(db: Db, email: string, password: string): Promise<number> {
  const user = await db
    .selectFrom("users")
    .select(["id", "password_hash"])
    .where((query) => query(query.fn("lower", ["email"]), "=", email.toLowerCase()))
    .executeTakeFirst();
  const matches = await passwordMatches(password, user?.password_hash);
  if (!user || !matches) throw unauthorized("The e-mail address or the password is wrong.");
  return user.id;
}
