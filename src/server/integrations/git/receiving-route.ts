import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Api } from "../../access/context.ts";
import { noBody } from "../../answers/operation.ts";
import { readBytes } from "../../http/read-body.ts";
import { setSender } from "../../http/bytes-in-flight.ts";
import { findReceiver, MAX_DELIVERY_BYTES, receiveDelivery } from "./receive-delivery.ts";

/** Receives the webhooks of Git hosts. Needs a scope of its own, because the signature is of the bytes of the body. */
export function gitReceivingRoute(api: Api) {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser(
    ["application/json", "application/x-www-form-urlencoded"],
    (_request: FastifyRequest, stream: IncomingMessage) => readBytes(stream, MAX_DELIVERY_BYTES),
  );

  api.post<{ Params: { token: string }; Body: Buffer | undefined }>(
    "/api/git/:token",
    {
      config: { needs: "nothing", limit: "ingest" },
      // Before the body is read: only hosts that know an address may send 25 MiB.
      onRequest: async ({ db, params }, reply) => {
        const { id } = await findReceiver(db, params.token);
        setSender(reply.raw, `git:${id}`);
      },
      schema: {
        operationId: "receiveGitDelivery",
        summary: "Receive a webhook of a Git host",
        description:
          "A 202 means that the delivery is stored; it is processed within seconds, and only once. The signature is that of the connection's host. Unknown events are ignored.",
        reads: {
          "application/json": z.looseObject({}),
          "application/x-www-form-urlencoded": z.strictObject({ payload: z.string() }),
        },
        response: { 202: noBody },
        refuses: [400, 401, 404, 413],
      },
    },
    async ({ db, params, headers, body }, reply) => {
      const receiver = await findReceiver(db, params.token);
      await receiveDelivery(db, receiver, { headers, body: body ?? Buffer.alloc(0) });
      return reply.code(202).send();
    },
  );
}
