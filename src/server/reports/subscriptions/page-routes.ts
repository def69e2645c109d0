import type { FastifyReply } from "fastify";
import type { Api, Context } from "../../access/context.ts";
import { HttpError } from "../../answers/errors.ts";
import { html } from "../status/html.ts";
import { sendOutsidePage, type OutsidePage } from "../status/outside-page.ts";
import { listMyReports } from "./list-my-reports.ts";
import { confirmPage, myReportsPage, unsubscribePage } from "./subscription-pages.ts";
import { findSubscription } from "./subscription-links.ts";

type OfSecret = { Params: { secret: string } };

/** The pages that emails to people outside the team link to. Looking at them changes nothing. */
export function subscriptionPageRoutes(api: Api, { publicUrl }: Pick<Context, "publicUrl">) {
  const config = { needs: "nothing" } as const;

  api.get<OfSecret>("/subscriptions/:secret/confirm", { config }, ({ db, params: { secret } }, reply) =>
    sendPage(reply, async () => confirmPage(secret, await findSubscription(db, secret))),
  );

  api.get<OfSecret>("/subscriptions/:secret/unsubscribe", { config }, ({ db, params: { secret } }, reply) =>
    sendPage(reply, async () => unsubscribePage(secret, await findSubscription(db, secret))),
  );

  api.get<OfSecret>("/mine/:secret", { config }, ({ db, params: { secret } }, reply) =>
    sendPage(reply, async () => myReportsPage(await listMyReports(db, publicUrl(), secret))),
  );
}

async function sendPage(reply: FastifyReply, make: () => Promise<OutsidePage>): Promise<FastifyReply> {
  try {
    return sendOutsidePage(reply, await make());
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 404) throw error;
    return sendOutsidePage(reply, NOT_FOUND, 404);
  }
}

const NOT_FOUND: OutsidePage = {
  title: "Nothing here",
  body: html`<h1>There is nothing here</h1>
    <p>The link may be incomplete, or it does not work any longer.</p>`,
};
