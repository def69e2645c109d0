import { profileAnswer, setupAnswer, setupBody } from "../../../shared/people.ts";
import type { Api, Context } from "../../access/context.ts";
import { browserOf, setSessionCookie } from "../../access/sessions.ts";
import { readProfile } from "../../account/profile/profile.ts";
import { requireSetup, setUp, setupRequired } from "./setup.ts";

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
      // Once anybody exists the answer is 403, whatever the body is.
      onRequest: () => requireSetup(db),
    },
    async (request, reply) => {
      const browser = browserOf(request, publicUrl());
      const { userId, secret } = await setUp(db, setupToken, request.body, browser);
      setSessionCookie(reply, publicUrl(), secret);
      return reply.code(201).send(await readProfile(db, userId));
    },
  );
}
