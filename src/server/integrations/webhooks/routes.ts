import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { pageOf } from "../../../shared/answers.ts";
import {
  chatPreviewsAnswer,
  DELIVERY_STATUSES,
  deliveryAnswer,
  recoverBody,
  recoveredAnswer,
  webhookAnswer,
  webhookBody,
  webhookChanges,
  webhookWithSecretAnswer,
} from "../../../shared/webhooks.ts";
import type { Api, Context } from "../../access/context.ts";
import { noBody } from "../../answers/operation.ts";
import { pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { listDeliveries, recoverDeliveries, redeliver } from "./deliveries.ts";
import { listWebhooks, loadWebhook, readWebhook } from "./read-webhooks.ts";
import { previewMessages } from "./preview-messages.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { sendTest } from "./send-test.ts";
import { updateWebhook } from "./update-webhook.ts";
import type { WebhookOwner } from "./webhook-owner.ts";

/** Where webhooks belong: the path, who may manage them, and the owner that a request names. */
type Place = {
  path: string;
  of: "Project" | "Workspace";
  config: { needs: "project:update" | "administrator" };
  ownerOf: (request: FastifyRequest) => WebhookOwner;
};

const PLACES: Place[] = [
  {
    path: "/api/projects/:projectId/webhooks",
    of: "Project",
    config: { needs: "project:update" },
    ownerOf: ({ project }) => ({ workspace_id: project.workspace_id, project_id: project.id }),
  },
  {
    path: "/api/workspaces/:workspaceId/webhooks",
    of: "Workspace",
    config: { needs: "administrator" },
    ownerOf: ({ workspace }) => ({ workspace_id: workspace.id, project_id: null }),
  },
];

const webhookId = (request: FastifyRequest) => childId(request, "webhookId", "There is no such webhook.");

const deliveryQuery = z.object({
  ...pageQuery.shape,
  status: z.enum(DELIVERY_STATUSES, `must be one of ${DELIVERY_STATUSES.join(", ")}`).optional(),
  event: z.string("must be given only once").optional().meta({ description: "The name of an event." }),
});

export function webhookRoutes(api: Api, context: Context) {
  for (const place of PLACES) {
    listRoutes(api, context, place);
    itemRoutes(api, context, place);
    secretRoute(api, place);
    previewRoute(api, context, place);
    deliveryRoutes(api, place);
    repeatRoutes(api, place);
  }
}

const mustExist =
  ({ ownerOf }: Place) =>
  async (request: FastifyRequest) => {
    await loadWebhook(request.db, ownerOf(request), webhookId(request));
  };

function listRoutes(api: Api, { config: { webhookAllow } }: Context, { path, of, config, ownerOf }: Place) {
  const whose = of === "Project" ? "a project's webhooks" : "a workspace's webhooks";
  api.get(
    path,
    {
      config,
      schema: {
        operationId: `list${of}Webhooks`,
        summary: `List ${whose}`,
        querystring: pageQuery,
        response: { 200: pageOf(webhookAnswer) },
      },
    },
    (request) => listWebhooks(request.db, ownerOf(request), request.query),
  );

  api.post(
    path,
    {
      config,
      schema: {
        operationId: `create${of}Webhook`,
        summary: `Add a webhook to a ${of.toLowerCase()}`,
        description:
          "Signalbox sends a request to the address for each event that `events` names. Only this response shows the secret that signs them.",
        body: webhookBody,
        response: { 201: webhookWithSecretAnswer },
      },
    },
    async (request, reply) => {
      const { caller, body } = request;
      const change = { actorId: caller.user_id, body };
      return reply.code(201).send(await createWebhook(request.db, webhookAllow, ownerOf(request), change));
    },
  );
}

function itemRoutes(api: Api, { config: { webhookAllow } }: Context, place: Place) {
  const { path, of, config, ownerOf } = place;
  const item = `${path}/:webhookId`;
  api.get(
    item,
    {
      config,
      schema: {
        operationId: `read${of}Webhook`,
        summary: "Read a webhook",
        response: { 200: webhookAnswer },
      },
    },
    (request) => readWebhook(request.db, ownerOf(request), webhookId(request)),
  );

  api.patch(
    item,
    {
      config,
      schema: {
        operationId: `update${of}Webhook`,
        summary: "Update a webhook",
        description:
          "A webhook that is turned on again starts with new events; `recover` sends what failed before.",
        body: webhookChanges,
        response: { 200: webhookAnswer },
      },
      preValidation: mustExist(place),
    },
    (request) =>
      updateWebhook(request.db, webhookAllow, ownerOf(request), {
        webhookId: webhookId(request),
        body: request.body,
      }),
  );

  api.delete(
    item,
    {
      config,
      schema: {
        operationId: `delete${of}Webhook`,
        summary: "Delete a webhook",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteWebhook(request.db, ownerOf(request), webhookId(request));
      return reply.code(204).send();
    },
  );
}

function secretRoute(api: Api, { path, of, config, ownerOf }: Place) {
  api.post(
    `${path}/:webhookId/rotate-secret`,
    {
      config,
      schema: {
        operationId: `rotate${of}WebhookSecret`,
        summary: "Replace the secret of a webhook",
        description: "The former secret signs for 24 more hours; each request then has two signatures.",
        response: { 200: webhookWithSecretAnswer },
      },
    },
    (request) => rotateSecret(request.db, ownerOf(request), webhookId(request)),
  );
}

function previewRoute(api: Api, { publicUrl }: Context, { path, of, config, ownerOf }: Place) {
  api.get(
    `${path}/:webhookId/preview`,
    {
      config,
      schema: {
        operationId: `preview${of}WebhookMessages`,
        summary: "Preview the messages of a chat",
        description:
          "With objects from this reference, one for each kind of object that the webhook is told of.",
        response: { 200: chatPreviewsAnswer },
      },
    },
    async (request) => {
      const webhook = await loadWebhook(request.db, ownerOf(request), webhookId(request));
      const project = of === "Project" ? { id: request.project.id, key: request.project.key } : null;
      return { data: previewMessages(webhook, publicUrl(), project) };
    },
  );
}

function deliveryRoutes(api: Api, place: Place) {
  const { path, of, config, ownerOf } = place;
  const item = `${path}/:webhookId`;
  const preValidation = mustExist(place);
  api.post(
    `${item}/test`,
    {
      config,
      schema: {
        operationId: `test${of}Webhook`,
        summary: "Send a test event to a webhook",
        description:
          "Also if the webhook is turned off. The delivery shows the answer once it has been sent.",
        response: { 202: deliveryAnswer },
      },
      preValidation,
    },
    async (request, reply) => {
      const test = { webhookId: webhookId(request), actorId: request.caller.user_id };
      return reply.code(202).send(await sendTest(request.db, ownerOf(request), test));
    },
  );

  api.get(
    `${item}/deliveries`,
    {
      config,
      schema: {
        operationId: `list${of}WebhookDeliveries`,
        summary: "List what a webhook has sent in the last 14 days, newest first",
        querystring: deliveryQuery,
        response: { 200: pageOf(deliveryAnswer) },
      },
      preValidation,
    },
    (request) => listDeliveries(request.db, webhookId(request), request.query),
  );
}

/** Sending what was sent before, or what failed. */
function repeatRoutes(api: Api, place: Place) {
  const { path, of, config } = place;
  const item = `${path}/:webhookId`;
  const preValidation = mustExist(place);
  api.post(
    `${item}/deliveries/:deliveryId/redeliver`,
    {
      config,
      schema: {
        operationId: `redeliver${of}WebhookDelivery`,
        summary: "Send a delivery once more",
        response: { 202: deliveryAnswer },
      },
      preValidation,
    },
    async (request, reply) => {
      const id = childId(request, "deliveryId", "There is no such delivery.");
      return reply.code(202).send(await redeliver(request.db, webhookId(request), id));
    },
  );

  api.post(
    `${item}/recover`,
    {
      config,
      schema: {
        operationId: `recover${of}WebhookDeliveries`,
        summary: "Send the deliveries of a time that failed once more",
        body: recoverBody,
        response: { 202: recoveredAnswer },
      },
      preValidation,
    },
    async (request, reply) => {
      const { since, until } = request.body;
      const recovered = await recoverDeliveries(request.db, webhookId(request), {
        since,
        until: until ?? undefined,
      });
      return reply.code(202).send(recovered);
    },
  );
}
