import { myReportsAnswer, subscriptionAnswer, subscriptionBody } from "../../../shared/subscriptions.ts";
import type { Api, Context } from "../../access/context.ts";
import { noBody } from "../../answers/operation.ts";
import { loadStatusReport } from "../status/require-status-report.ts";
import { forHolderOnly } from "../status/routes.ts";
import { confirmSubscription } from "./confirm-subscription.ts";
import { listMyReports } from "./list-my-reports.ts";
import { subscribe } from "./subscribe.ts";

/** Subscriptions per minute and report. */
const MAX_SUBSCRIPTIONS = 10;

/** Subscribing to the news of a report, and the list of one's reports. Unsubscribing has a scope of its own. */
export function subscriptionRoutes(api: Api, context: Context) {
  const { limiter, publicUrl } = context;
  api.post(
    "/api/r/:statusToken/subscription",
    {
      config: { needs: "nothing" },
      onRequest: forHolderOnly,
      schema: {
        operationId: "subscribeToReport",
        summary: "Subscribe an address to the news of a report",
        description:
          "The response is the same for every address. Unless the address is confirmed, it gets an email with a link to confirm, at most three a day.",
        body: subscriptionBody,
        response: { 202: subscriptionAnswer },
        refuses: [403],
      },
      preValidation: loadStatusReport(api, context),
    },
    async (request, reply) => {
      const { db, outsideReport: report, body } = request;
      await limiter.require(`report subscription:${report.id}`, MAX_SUBSCRIPTIONS);
      await db.transaction().execute((tx) => subscribe(tx, report.id, body.email));
      return reply.code(202).send({});
    },
  );

  api.post<{ Params: { secret: string } }>(
    "/api/subscriptions/:secret/confirm",
    {
      config: { needs: "nothing" },
      onRequest: forHolderOnly,
      schema: {
        operationId: "confirmSubscription",
        summary: "Confirm a subscription",
        description: "`secret` is from the link in the email, which is valid for seven days.",
        response: { 204: noBody },
        refuses: [404],
      },
    },
    async (request, reply) => {
      await confirmSubscription(request.db, request.params.secret);
      return reply.code(204).send();
    },
  );

  api.get<{ Params: { secret: string } }>(
    "/api/mine/:secret",
    {
      config: { needs: "nothing" },
      onRequest: forHolderOnly,
      schema: {
        operationId: "listMyReports",
        summary: "List the reports of an address in a project",
        description: "`secret` is from the link in emails to a confirmed address.",
        response: { 200: myReportsAnswer },
        refuses: [404],
      },
    },
    (request) => listMyReports(request.db, publicUrl(), request.params.secret),
  );
}
