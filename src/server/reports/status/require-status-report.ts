import type { FastifyRequest } from "fastify";
import type { Api, Context } from "../../access/context.ts";
import { featureOff } from "../../access/refusal.ts";
import { notFound } from "../../answers/errors.ts";
import { clientAddress } from "../../http/client-address.ts";
import { findReportByToken, type OutsideReport } from "./report-token.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The report of the status link in the path; set by the hook `loadStatusReport`. */
    outsideReport: OutsideReport;
  }
}

/** Unknown links per minute and address. */
const MAX_MISSES = 60;

/**
 * The report of the status link in the path. 404 if the link is unknown or revoked or its report has been deleted, without a
 * difference; 429 after many of these. 403 while reports are turned off in the workspace.
 */
export async function requireStatusReport(
  { limiter }: Pick<Context, "limiter">,
  request: FastifyRequest,
): Promise<OutsideReport> {
  const { statusToken } = request.params as { statusToken: string };
  const report = await findReportByToken(request.db, statusToken);
  if (!report) {
    await limiter.require(`status link:ip:${clientAddress(request)}`, MAX_MISSES);
    throw notFound();
  }
  if (!report.is_feature_on) throw featureOff("reports");
  return report;
}

/** A `preValidation` hook, so that an unknown link is 404 even when the body is invalid. */
export function loadStatusReport(api: Api, context: Context) {
  if (!api.hasRequestDecorator("outsideReport")) api.decorateRequest("outsideReport");
  return async (request: FastifyRequest): Promise<void> => {
    request.outsideReport = await requireStatusReport(context, request);
  };
}
