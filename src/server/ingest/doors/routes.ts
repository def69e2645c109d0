import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { errorEvent } from "../../../shared/error-events.ts";
import type { Api } from "../../access/context.ts";
import { clientAddress } from "../../http/client-address.ts";
import { readMaybeGzip } from "../../http/read-body.ts";
import { noBody } from "../../answers/operation.ts";
import { countRefusals } from "../../errors/usage/count-refusals.ts";
import { ingest, type Intake } from "../pipeline.ts";
import { EVENT_NEEDS } from "./event-needs.ts";

/** A valid event can reach 24 MiB if every character is escaped. */
const BODY_LIMIT = 32 * 1_048_576;

/** Receiving error events. Needs a scope of its own, because its bodies may be compressed and larger than others. */
export function errorEventRoutes(api: Api, intake: Intake) {
  countRefusals(api, intake.usage);
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("application/json", (_request: unknown, stream: IncomingMessage) =>
    readMaybeGzip(stream, BODY_LIMIT),
  );

  api.post<{ Body: Buffer | undefined }>(
    "/api/projects/:projectId/error-events",
    {
      config: {
        needs: EVENT_NEEDS.needs,
        feature: EVENT_NEEDS.feature,
        projectToken: EVENT_NEEDS.projectToken,
        area: EVENT_NEEDS.area,
        limit: "ingest",
        ingestKey: true,
        crossOrigin: true,
        tokenOnly: true,
      },
      schema: {
        operationId: "sendErrorEvent",
        summary: "Send an error event",
        description:
          "A 202 means that the event is committed. The body may be compressed with gzip (`Content-Encoding: gzip`); the limit of 32 MiB applies to both the compressed and the decompressed body, which may have up to a million JSON values. Optional fields that are null or empty count as not sent, and unknown fields are ignored. Web pages can call this route from every origin, or from those that their ingest key allows.",
        reads: { "application/json": errorEvent },
        response: { 202: noBody },
      },
    },
    async (request, reply) => {
      const { origin, "user-agent": userAgent } = request.headers;
      const sender = { projectId: request.project.id, client: clientOf(request), origin, userAgent };
      await ingest(intake, sender, { body: request.body ?? Buffer.alloc(0) });
      return reply.code(202).send();
    },
  );
}

/** An ingest key is public, so each address that uses it is a client of its own. */
const clientOf = (request: FastifyRequest): string =>
  request.keyUse ? `ing:${request.keyUse.keyId} ${clientAddress(request)}` : request.caller.key;
