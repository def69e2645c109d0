import type { IncomingMessage } from "node:http";
import { errorEvent } from "../../../shared/error-events.ts";
import type { Api } from "../../access/context.ts";
import { readMaybeGzip } from "../../http/read-body.ts";
import { noBody } from "../../answers/operation.ts";
import type { Ingestion } from "./ingestion.ts";
import type { EventReader } from "./event-reader.ts";

/** A legal event reaches 24 MiB when every character is escaped (decisions.md 5). */
const BODY_LIMIT = 32 * 1_048_576;

/** Ingestion (service.md 4.5): within a scope of its own, since its bodies are read by other rules. */
export function errorEventRoutes(
  api: Api,
  { ingestion, reader }: { ingestion: Ingestion; reader: EventReader },
) {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("application/json", (_request: unknown, stream: IncomingMessage) =>
    readMaybeGzip(stream, BODY_LIMIT),
  );

  api.post<{ Body: Buffer | undefined }>(
    "/api/projects/:projectId/error-events",
    {
      config: {
        needs: "error-groups:create",
        feature: "error_tracking",
        limit: "ingest",
        projectToken: "read_write",
        tokenOnly: true,
      },
      schema: {
        operationId: "sendErrorEvent",
        summary: "Send an error event",
        description:
          "The answer means that the event is committed. The body may be compressed with gzip (`Content-Encoding: gzip`); its limit of 32 MiB holds before and after. Optional fields that are null or empty count as not sent, others are ignored.",
        reads: { "application/json": errorEvent },
        response: { 202: noBody },
      },
    },
    async (request, reply) => {
      const bytes = request.body ?? Buffer.alloc(0);
      const size = bytes.length; // a large body is handed over to be read, and empty here afterwards
      const event = await reader.read(bytes);
      await ingestion.add({ projectId: request.project.id, event, size });
      return reply.code(202).send();
    },
  );
}
