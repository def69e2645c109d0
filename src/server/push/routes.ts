import type { FastifyRequest } from "fastify";
import { pushEndpointBody, pushKeyAnswer, pushSubscriptionBody } from "../../shared/push.ts";
import type { Api } from "../access/context.ts";
import { forbidden, invalid } from "../answers/errors.ts";
import { noBody } from "../answers/operation.ts";
import { isPushEndpoint } from "./public-address.ts";
import { readPushKeys } from "./push-keys.ts";
import { listEndpoints, subscribe, unsubscribe } from "./subscriptions.ts";

/** For browser sessions only: a subscription belongs to the session and ends with it. */
export function pushRoutes(api: Api) {
  const config = { needs: "session" } as const;

  api.get(
    "/api/push-key",
    {
      config,
      schema: {
        operationId: "readPushKey",
        summary: "Read the key with which a browser subscribes to push notifications",
        response: { 200: pushKeyAnswer },
      },
    },
    async (request) => ({
      public_key: (await readPushKeys(request.db)).public_key,
      endpoints: await listEndpoints(request.db, sessionOf(request).id_hash),
    }),
  );

  api.post(
    "/api/push-subscriptions",
    {
      config,
      schema: {
        operationId: "subscribeToPush",
        summary: "Send new notifications to this browser",
        body: pushSubscriptionBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      if (!isPushEndpoint(request.body.endpoint))
        throw invalid({ endpoint: ["must be the HTTPS address of a push service"] });
      await subscribe(request.db, sessionOf(request), request.body);
      return reply.code(204).send();
    },
  );

  api.delete(
    "/api/push-subscriptions",
    {
      config,
      schema: {
        operationId: "unsubscribeFromPush",
        summary: "Stop sending notifications to a browser of the caller",
        body: pushEndpointBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await unsubscribe(request.db, request.caller.user_id, request.body.endpoint);
      return reply.code(204).send();
    },
  );
}

function sessionOf({ caller }: FastifyRequest) {
  if (caller.kind !== "session") throw forbidden("This requires a browser session.");
  return caller;
}
