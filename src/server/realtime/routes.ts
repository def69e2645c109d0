import type { Api, Context } from "../app.ts";
import { LiveUpdates } from "./live-updates.ts";

/** Server-sent events: what changed, for what the caller may read (platform.md). */
export function eventRoutes(api: Api, { database, live }: Context) {
  const updates = new LiveUpdates(database, api.log, live);
  // Before the server waits for its connections: these would never end by themselves.
  api.addHook("preClose", () => updates.close());

  api.get(
    "/api/events",
    // A HEAD would hold a stream that nobody can read.
    { config: { needs: "caller" }, exposeHeadRoute: false },
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
