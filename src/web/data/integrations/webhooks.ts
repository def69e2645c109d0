import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { Page } from "../../../shared/answers.ts";
import type {
  ChatPreview,
  Webhook,
  Delivery,
  WebhookWithSecret,
  webhookBody,
  webhookChanges,
  recoverBody,
} from "../../../shared/webhooks.ts";
import { allPages } from "../../api/all-pages.ts";
import { api, withQuery } from "../../api/client.ts";

/** The project or the workspace that a webhook belongs to. */
export type WebhookOwner = { kind: "projects" | "workspaces"; id: number };

const pathOf = (owner: WebhookOwner, rest = "") => `/api/${owner.kind}/${owner.id}/webhooks${rest}`;

/** Keys begin with the kind and the project's id, so that live updates of the project make them stale. */
export const webhookKey = (kind: "webhook" | "webhook_delivery", owner: WebhookOwner) =>
  owner.kind === "projects" ? [kind, owner.id] : [kind, null, owner.id];

/** A webhook fails and recovers without a live update. */
export const webhooksQuery = (owner: WebhookOwner) =>
  queryOptions({
    queryKey: [...webhookKey("webhook", owner), "list"],
    queryFn: ({ signal }) => allPages<Webhook>(pathOf(owner), 200, signal),
    staleTime: 0,
  });

export const webhookQuery = (owner: WebhookOwner, id: number) =>
  queryOptions({
    queryKey: [...webhookKey("webhook", owner), "one", id],
    queryFn: ({ signal }) => api.get<Webhook>(pathOf(owner, `/${id}`), signal),
    staleTime: 0,
  });

/** What people read in the chat, for examples of the events that the webhook receives. */
export const previewsQuery = (owner: WebhookOwner, id: number) =>
  queryOptions({
    queryKey: [...webhookKey("webhook", owner), "previews", id],
    queryFn: async ({ signal }) =>
      (await api.get<{ data: ChatPreview[] }>(pathOf(owner, `/${id}/preview`), signal)).data,
  });

export type DeliveryFilter = { status?: string | undefined; event?: string | undefined };

/** How often the list is read again while a delivery is about to be sent, in milliseconds. */
const WHILE_SENDING_MS = 1_000;

/** Newest first, in pages. */
export const deliveriesQuery = (owner: WebhookOwner, id: number, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: [...webhookKey("webhook_delivery", owner), id, filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<Delivery>>(
        withQuery(pathOf(owner, `/${id}/deliveries`), { ...filter, limit: 20, cursor: pageParam }),
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.meta.next_cursor,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((delivery) => isSending(delivery, Date.now())))
        ? WHILE_SENDING_MS
        : false,
  });

const SOON_MS = 10_000;

/** Whether an attempt is in flight or about to start. Later retries are minutes or hours away. */
export const isSending = ({ next_attempt_at: next }: Delivery, now: number): boolean =>
  next !== null && Date.parse(next) < now + SOON_MS;

/** The answer contains the secret, which the server does not return again. */
export const createWebhook = (owner: WebhookOwner, body: z.input<typeof webhookBody>) =>
  api.post<WebhookWithSecret>(pathOf(owner), body);

export const changeWebhook = (owner: WebhookOwner, id: number, changes: z.input<typeof webhookChanges>) =>
  api.patch<Webhook>(pathOf(owner, `/${id}`), changes);

export const deleteWebhook = (owner: WebhookOwner, id: number) => api.delete(pathOf(owner, `/${id}`));

export const rotateSecret = (owner: WebhookOwner, id: number) =>
  api.post<WebhookWithSecret>(pathOf(owner, `/${id}/rotate-secret`));

/** Sends a test event. The delivery's attempt follows. */
export const testWebhook = (owner: WebhookOwner, id: number) =>
  api.post<Delivery>(pathOf(owner, `/${id}/test`));

export const redeliver = (owner: WebhookOwner, id: number, deliveryId: number) =>
  api.post<Delivery>(pathOf(owner, `/${id}/deliveries/${deliveryId}/redeliver`));

/** Sends every failed delivery of the time again. */
export const recoverDeliveries = (owner: WebhookOwner, id: number, time: z.input<typeof recoverBody>) =>
  api.post<{ count: number }>(pathOf(owner, `/${id}/recover`), time);
