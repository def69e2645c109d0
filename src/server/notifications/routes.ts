import type { FastifyRequest } from "fastify";
import { notificationIdsBody, notificationListQuery, preferencesBody } from "../../shared/notifications.ts";
import type { Api, Context } from "../app.ts";
import { needsInbox } from "./inbox-access.ts";
import { countUnread, listNotifications } from "./inbox.ts";
import { deleteNotifications, markAllRead, markRead, markUnread } from "./marks.ts";
import { updatePreferences } from "./preferences.ts";

/** The caller's inbox and preferences (service.md 4.3). */
export function notificationRoutes(api: Api, { database: { db } }: Context) {
  const inbox = "/api/notifications";
  const config = { needs: "caller" } as const;
  const mayUpdate = needsInbox(db, "notifications:update");
  const mayDelete = needsInbox(db, "notifications:delete");

  api.get(inbox, { config, schema: { querystring: notificationListQuery } }, async (request, reply) => {
    const { data, meta } = await listNotifications(db, request.caller, request.query);
    if (meta.next_cursor !== null)
      reply.header("link", `<${nextPage(request.url, meta.next_cursor)}>; rel="next"`);
    return data;
  });

  api.get(`${inbox}/unread-count`, { config }, async (request) => ({
    count: await countUnread(db, request.caller),
  }));

  api.post(`${inbox}/read-all`, { config, onRequest: mayUpdate }, async (request, reply) => {
    await markAllRead(db, request.caller.user_id);
    return reply.code(204).send();
  });

  const bulk = (
    name: string,
    may: (request: FastifyRequest) => Promise<void>,
    change: (ids: number[], userId: number) => Promise<void>,
  ) =>
    api.post(
      `${inbox}/${name}`,
      { config, onRequest: may, schema: { body: notificationIdsBody } },
      async (request, reply) => {
        await change(request.body.notification_ids, request.caller.user_id);
        return reply.code(204).send();
      },
    );
  bulk("bulk-read", mayUpdate, (ids, userId) => markRead(db, userId, ids));
  bulk("bulk-unread", mayUpdate, (ids, userId) => markUnread(db, userId, ids));
  bulk("bulk-delete", mayDelete, (ids, userId) => deleteNotifications(db, userId, ids));

  api.post(
    "/api/profile/notification-preferences",
    { config, schema: { body: preferencesBody } },
    (request) => updatePreferences(db, request.caller.user_id, request.body),
  );
}

/** The same list from the cursor on, as a reference relative to this one. */
function nextPage(url: string, cursor: string): string {
  const [path = "", query] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  parameters.set("cursor", cursor);
  return `${path}?${parameters.toString()}`;
}
