import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { subscriptionAnswer } from "../../../shared/subscriptions.ts";
import type { Api } from "../../access/context.ts";
import { answersWith, JSON_TYPE, noBody } from "../../answers/operation.ts";
import { readBytes } from "../../http/read-body.ts";
import { sendOutsidePage } from "../status/outside-page.ts";
import { confirmSubscription } from "./confirm-subscription.ts";
import { findSubscription, unsubscribePath } from "./subscription-links.ts";
import { UNSUBSCRIBED_PAGE } from "./subscription-pages.ts";
import { unsubscribe } from "./unsubscribe.ts";

const path = "/api/subscriptions/:secret/unsubscribe";

/** Mail programs send one short field. */
const MAX_BODY_BYTES = 65_536;

const reads = {
  "application/x-www-form-urlencoded": z.looseObject({}),
  "multipart/form-data": z.looseObject({}),
};

/**
 * Confirming, and unsubscribing with one click (RFC 8058). Needs a scope of its own, because mail programs and pages without a
 * script send forms in either encoding. What they contain does not matter.
 */
export function mailLinkRoutes(api: Api) {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("*", (_request: FastifyRequest, stream: IncomingMessage) =>
    readBytes(stream, MAX_BODY_BYTES),
  );

  api.post<{ Params: { secret: string } }>(
    "/api/subscriptions/:secret/confirm",
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "confirmSubscription",
        summary: "Confirm a subscription",
        description: "`secret` is from the link in the email, which is valid for seven days.",
        reads,
        response: { 204: noBody },
        refuses: [404, 413],
      },
    },
    async (request, reply) => {
      await confirmSubscription(request.db, request.params.secret);
      return reply.code(204).send();
    },
  );

  api.post<{ Params: { secret: string } }>(
    path,
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "unsubscribe",
        summary: "End a subscription",
        description:
          "The address in the `List-Unsubscribe` header of emails (RFC 8058). Repeating the request returns 200 as well. A browser that sends a form gets a page.",
        reads,
        response: {
          200: {
            content: { [JSON_TYPE]: { schema: subscriptionAnswer }, ...answersWith("text/html").content },
          },
        },
        refuses: [404, 413],
      },
    },
    async (request, reply) => {
      await unsubscribe(request.db, request.params.secret);
      if (request.headers.accept?.includes("text/html")) return sendOutsidePage(reply, UNSUBSCRIBED_PAGE);
      return {};
    },
  );

  unsubscribePageRoute(api);
}

function unsubscribePageRoute(api: Api) {
  api.get<{ Params: { secret: string } }>(
    path,
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "openUnsubscribePage",
        summary: "Open the page to end a subscription",
        description: "For mail programs that open the address as a link. It changes nothing.",
        response: { 302: noBody },
        sends: ["Location"],
        refuses: [404],
      },
    },
    async (request, reply) => {
      await findSubscription(request.db, request.params.secret);
      return reply.redirect(unsubscribePath(request.params.secret));
    },
  );
}
