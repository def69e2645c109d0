import type { Api } from "../access/context.ts";
import { answersWith } from "../answers/operation.ts";
import type { LiveUpdates } from "./live-updates.ts";

/** Server-sent events: what changed, for what the caller may read (platform.md). */
export function liveRoutes(api: Api, updates: LiveUpdates) {
  api.get(
    "/api/events",
    // A HEAD would hold a stream that nobody can read.
    {
      config: { needs: "caller", endless: true },
      exposeHeadRoute: false,
      schema: {
        operationId: "listen",
        summary: "Listen to what changes",
        description:
          "Server-sent events of what the caller may read: each names a kind, a project and an id, to be read anew. `Last-Event-ID` takes up where a lost connection ended.",
        response: { 200: answersWith("text/event-stream") },
      },
    },
    async (request, reply) => {
      const headers = {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": "text/event-stream; charset=utf-8",
        // Proxies that gather an answer before they pass it on.
        "x-accel-buffering": "no",
      };
      const lastId = request.headers["last-event-id"];
      await updates.open(request.caller, reply.raw, headers, typeof lastId === "string" ? lastId : undefined);
      reply.hijack();
    },
  );
}
