import type { Api } from "../access/context.ts";
import { forbidden } from "../answers/errors.ts";
import { answersWith } from "../answers/operation.ts";
import { liveQuery } from "../../shared/live-changes.ts";
import type { LiveUpdates } from "./live-updates.ts";

/** Server-sent events about changes that the caller may read. */
export function liveRoutes(api: Api, updates: LiveUpdates) {
  api.get(
    "/api/events",
    {
      config: { needs: "caller", endless: true, area: "any" },
      // A HEAD request would keep a stream open without a body.
      exposeHeadRoute: false,
      schema: {
        operationId: "listen",
        summary: "Subscribe to live changes",
        description:
          "Server-sent events about changes of what the caller may read. Each event names the kind, project and id of what changed; read it again to get its current state. A `reset` event means that changes may have been missed. A `heartbeat` event arrives at least every 30 seconds. Send the id of the last event as `Last-Event-ID`, or as `after`, to continue after a lost connection.",
        querystring: liveQuery,
        response: { 200: answersWith("text/event-stream") },
      },
    },
    async (request, reply) => {
      const headers = {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": "text/event-stream; charset=utf-8",
        // Tells proxies not to buffer the response.
        "x-accel-buffering": "no",
      };
      const { user_id, after, recent: seconds } = request.query;
      if (user_id !== undefined && user_id !== request.caller.user_id)
        throw forbidden("This session belongs to another user.");
      // A browser that reconnects repeats the original URL, so the header is newer than `after`.
      const header = request.headers["last-event-id"];
      const lastId = typeof header === "string" ? header : after;
      await updates.open(request.caller, reply.raw, headers, { lastId, seconds });
      reply.hijack();
    },
  );
}
