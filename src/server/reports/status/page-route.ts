import type { Api, Context } from "../../access/context.ts";
import { HttpError } from "../../answers/errors.ts";
import { html } from "./html.ts";
import { sendOutsidePage, type OutsidePage } from "./outside-page.ts";
import { readStatus } from "./read-status.ts";
import { requireStatusReport } from "./require-status-report.ts";
import { statusPage } from "./status-page.ts";

/** The page behind the status link of a report. */
export function statusPageRoute(api: Api, context: Context) {
  api.get<{ Params: { statusToken: string } }>(
    "/r/:statusToken",
    { config: { needs: "nothing" } },
    async (request, reply) => {
      const { statusToken } = request.params;
      try {
        const report = await requireStatusReport(context, request);
        const status = await readStatus(request.db, statusToken, report);
        return sendOutsidePage(reply, await statusPage(statusToken, status));
      } catch (error) {
        const page = error instanceof HttpError ? ERROR_PAGES[error.status] : undefined;
        if (!(error instanceof HttpError) || !page) throw error;
        return sendOutsidePage(reply.headers(error.headers), page, error.status);
      }
    },
  );
}

/** A page says nothing about a report while reports are turned off. */
const ERROR_PAGES: Partial<Record<number, OutsidePage>> = {
  403: { title: "Not available", body: html`` },
  404: {
    title: "Nothing here",
    body: html`<h1>There is nothing here</h1>
      <p>
        The link may be incomplete, or it was turned off. Copy it again from the page or email that you have
        it from.
      </p>`,
  },
  429: {
    title: "Too many requests",
    body: html`<h1>Too many requests</h1>
      <p>Please try again in a minute.</p>`,
  },
};
