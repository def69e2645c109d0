import type { FastifyRequest } from "fastify";
import { z } from "zod";
import {
  notificationAnswer,
  notificationIdsBody,
  notificationListQuery,
  preferencesBody,
  snoozeBody,
  unreadCountAnswer,
  unreadCountQuery,
  unreadCountsAnswer,
} from "../../../shared/notifications.ts";
import { profileAnswer } from "../../../shared/people.ts";
import type { Api, Context } from "../../access/context.ts";
import type { Db } from "../../db/connect.ts";
import { nextLink } from "../../answers/next-link.ts";
import { noBody } from "../../answers/operation.ts";
import { needsInbox } from "./inbox-access.ts";
import { countUnread, countUnreadBy } from "./count-unread.ts";
import { listNotifications } from "./list-notifications.ts";
import {
  deleteNotifications,
  markAllRead,
  markRead,
  markUnread,
  snoozeNotifications,
} from "./mark-notifications.ts";
import { updatePreferences } from "./update-preferences.ts";

const inbox = "/api/notifications";
const config = { needs: "caller" } as const;

export function notificationRoutes(api: Api, context: Context) {
  readingRoutes(api);
  changeRoutes(api, context);
  snoozeRoutes(api, context);
  preferenceRoutes(api);
}

function readingRoutes(api: Api) {
  api.get(
    inbox,
    {
      config,
      schema: {
        operationId: "listNotifications",
        summary: "List the caller's notifications, newest first",
        sends: ["Link"],
        querystring: notificationListQuery,
        response: { 200: z.array(notificationAnswer) },
      },
    },
    async (request, reply) => {
      const { data, meta } = await listNotifications(request.db, request.caller, request.query);
      if (meta.next_cursor !== null) reply.header("link", nextLink(request.url, meta.next_cursor));
      return data;
    },
  );

  api.get(
    `${inbox}/unread-count`,
    {
      config,
      schema: {
        operationId: "countUnread",
        summary: "Count the unread notifications",
        querystring: unreadCountQuery,
        response: { 200: unreadCountAnswer },
      },
    },
    (request) => countUnread(request.db, request.caller, request.query.include),
  );

  api.get(
    `${inbox}/unread-counts`,
    {
      config,
      schema: {
        operationId: "countUnreadBy",
        summary: "Count the unread notifications by type, project and thing",
        querystring: unreadCountQuery,
        response: { 200: unreadCountsAnswer },
      },
    },
    (request) => countUnreadBy(request.db, request.caller, request.query.include),
  );
}

function changeRoutes(api: Api, { outside }: Context) {
  const mayUpdate = needsInbox(outside, "notifications:update");
  const mayDelete = needsInbox(outside, "notifications:delete");
  const bulk = (
    name: string,
    [operationId, summary]: [string, string],
    may: (request: FastifyRequest) => Promise<void>,
    change: (db: Db, userId: number, ids: number[]) => Promise<void>,
  ) =>
    api.post(
      `${inbox}/${name}`,
      {
        config,
        onRequest: may,
        schema: { operationId, summary, body: notificationIdsBody, response: { 204: noBody } },
      },
      async (request, reply) => {
        await change(request.db, request.caller.user_id, request.body.notification_ids);
        return reply.code(204).send();
      },
    );

  api.post(
    `${inbox}/read-all`,
    {
      config,
      onRequest: mayUpdate,
      schema: {
        operationId: "markAllRead",
        summary: "Mark every notification as read",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await markAllRead(request.db, request.caller.user_id);
      return reply.code(204).send();
    },
  );

  bulk("bulk-read", ["markRead", "Mark notifications as read"], mayUpdate, markRead);

  bulk("bulk-unread", ["markUnread", "Mark notifications as unread"], mayUpdate, markUnread);

  bulk("bulk-delete", ["deleteNotifications", "Delete notifications"], mayDelete, deleteNotifications);
}

function snoozeRoutes(api: Api, { outside }: Context) {
  const mayUpdate = needsInbox(outside, "notifications:update");

  api.post(
    `${inbox}/bulk-snooze`,
    {
      config,
      onRequest: mayUpdate,
      schema: {
        operationId: "snoozeNotifications",
        summary: "Hide notifications until a time, when they return unread",
        body: snoozeBody,
        response: { 204: noBody },
      },
    },
    async ({ db, body, caller }, reply) => {
      await snoozeNotifications(db, caller.user_id, body.notification_ids, body.until);
      return reply.code(204).send();
    },
  );
}

function preferenceRoutes(api: Api) {
  api.post(
    "/api/profile/notification-preferences",
    {
      config,
      schema: {
        operationId: "updatePreferences",
        summary: "Change the caller's notification preferences",
        body: preferencesBody,
        response: { 200: profileAnswer },
      },
    },
    (request) => updatePreferences(request.db, request.caller.user_id, request.body),
  );
}
