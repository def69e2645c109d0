import { profileAnswer, setupAnswer, setupBody } from "../../../shared/people.ts";
import type { Api, Context } from "../../access/context.ts";
import { browserOf, setDeviceCookie, setSessionCookie } from "../../access/sessions.ts";
import { readProfile } from "../../account/profile/read-profile.ts";
import { requireSetup, setUp, setupRequired } from "./set-up.ts";

export function setupRoutes(api: Api, { setupToken, publicUrl }: Context) {
  api.get(
    "/api/setup",
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "readSetup",
        summary: "Read whether the server needs to be set up",
        response: { 200: setupAnswer },
      },
    },
    async ({ db }) => ({
      required: await setupRequired(db),
    }),
  );

  api.post(
    "/api/setup",
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "setUp",
        summary: "Set up the server: the first workspace and its administrator",
        sends: ["Set-Cookie"],
        body: setupBody,
        response: { 201: profileAnswer },
      },
      // Once there is a user the response is 403, even for an invalid body.
      onRequest: ({ db }) => requireSetup(db),
    },
    async (request, reply) => {
      const browser = browserOf(request, publicUrl());
      const { userId, secret, device } = await setUp(request.db, setupToken, request.body, browser);
      setSessionCookie(reply, publicUrl(), secret);
      setDeviceCookie(reply, publicUrl(), device);
      return reply.code(201).send(await readProfile(request.db, userId));
    },
  );
}
