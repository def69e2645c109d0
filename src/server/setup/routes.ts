import { profileAnswer, setupAnswer, setupBody } from "../../shared/people.ts";
import type { Api, Context } from "../app.ts";
import { openSession, setSessionCookie } from "../auth/sessions.ts";
import { forbidden } from "../http/errors.ts";
import { readProfile } from "../profile/profile.ts";
import { setUp, setupRequired } from "./setup.ts";

export function setupRoutes(api: Api, { database: { db }, setupToken, publicUrl }: Context) {
  api.get(
    "/api/setup",
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "readSetup",
        summary: "Ask whether the server is to be set up",
        response: { 200: setupAnswer },
      },
    },
    async () => ({
      required: await setupRequired(db),
    }),
  );

  // Once anybody exists the answer is 403, whatever the body says.
  const refuseWhenDone = async () => {
    if (!(await setupRequired(db))) throw forbidden("Signalbox is set up already. Sign in instead.");
  };

  api.post(
    "/api/setup",
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "setUp",
        summary: "Set the server up: the first workspace and its administrator",
        sends: ["Set-Cookie"],
        body: setupBody,
        response: { 201: profileAnswer },
      },
      preValidation: refuseWhenDone,
    },
    async (request, reply) => {
      const userId = await setUp(db, setupToken, request.body);
      setSessionCookie(reply, publicUrl(), await openSession(db, userId, request.headers["user-agent"]));
      return reply.code(201).send(await readProfile(db, userId));
    },
  );
}
