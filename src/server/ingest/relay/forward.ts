import type { IncomingMessage } from "node:http";
import type { IngestKey } from "../../access/ingest-key.ts";
import { forwardedRequest, MARK, type SentryRoute } from "./forwarded-request.ts";
import type { Relay } from "./relay.ts";

/** Whether what the request sends with this key also goes to another server, unless it comes from one that forwards. */
export const isForwarded = (
  { forwardTo }: Pick<IngestKey, "forwardTo">,
  { headers }: Pick<IncomingMessage, "headers">,
): boolean => forwardTo !== null && headers[MARK] === undefined;

type Accepted = {
  request: IncomingMessage;
  route: SentryRoute;
  /** As it was sent, in memory of its own. */
  body: Buffer;
  /** The envelope's first line. */
  header?: object;
};

/** Call this for an accepted request after its response. */
export function forward(
  relay: Relay,
  { forwardTo, projectId }: Pick<IngestKey, "forwardTo" | "projectId">,
  { request, route, body, header = {} }: Accepted,
): void {
  if (forwardTo === null) return;
  const { url = "", headers, rawHeaders } = request;
  relay.forward({
    destination: { projectId, dsn: forwardTo.dsn },
    body,
    request: () => forwardedRequest({ url, headers, rawHeaders }, forwardTo, route),
    requestLength: rawHeaders.reduce((sum, { length }) => sum + length, url.length),
    namesDsn: "dsn" in header,
  });
}
