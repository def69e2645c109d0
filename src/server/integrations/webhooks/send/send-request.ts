import { once } from "node:events";
import { request as requestHttp, type Agent, type ClientRequest, type IncomingMessage } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import type { AttemptError } from "../../../../shared/webhooks.ts";
import type { AllowedHosts } from "../../../config/allowed-hosts.ts";
import { isGlobalAddress } from "../address/global-address.ts";
import { addressInUrl, isAllowedHost } from "../address/problem-of-url.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { lookUpAddresses, type LookUp } from "./look-up-addresses.ts";

export type OutsideRequest = { url: string; headers: Record<string, string>; body: string | Buffer };

/** A request without a body is a GET. */
type AnyRequest = Omit<OutsideRequest, "body"> & Partial<Pick<OutsideRequest, "body">>;

/** What came of an attempt: a status, or the reason why there is none. */
export type Outcome = {
  duration_ms: number;
  status_code: number | null;
  error: AttemptError | null;
  /** The first 4,096 bytes, or `maxBodyBytes`. */
  response_body: string | null;
  retry_after?: string | undefined;
};

export type SendOptions = {
  allowed: AllowedHosts;
  lookUp?: LookUp;
  /** From the lookup to the headers of the response. */
  headersMs?: number;
  bodyMs?: number;
  maxBodyBytes?: number;
  /** Keeps connections, which stay at the address that was checked when they were opened. Without one, each request opens its own. */
  agentFor?: (url: URL) => Promise<Agent>;
};

const HEADERS_MS = 30_000;
const BODY_MS = 5_000;
const MAX_BODY_BYTES = 4_096;
/** How long to wait for an address of several before trying the next one, too. */
const CONNECTING = { autoSelectFamilyAttemptTimeout: 2_000 };

/**
 * Sends a request to an address that may be hostile. Connects only to addresses that were checked, and reads only the start of the response. An
 * endless body is a success if the status is. Throws only if `stop` aborts.
 */
export async function sendRequest(
  request: AnyRequest,
  options: SendOptions,
  stop?: AbortSignal,
): Promise<Outcome> {
  const startedAt = performance.now();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), options.headersMs ?? HEADERS_MS);
  const signal = stop ? AbortSignal.any([timeout.signal, stop]) : timeout.signal;
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const response = await send(request, options, signal);
    clearTimeout(timer);
    const response_body = await readStart(response, options);
    stop?.throwIfAborted();
    const status_code = response.statusCode ?? null;
    const retry_after = response.headers["retry-after"];
    return { duration_ms: durationMs(), status_code, error: null, response_body, retry_after };
  } catch (failure) {
    stop?.throwIfAborted();
    const kind = failure instanceof AttemptFailure ? failure.kind : "protocol";
    const error = timeout.signal.aborted ? "timeout" : kind;
    return { duration_ms: durationMs(), status_code: null, error, response_body: null };
  } finally {
    clearTimeout(timer);
  }
}

async function send(
  { url: address, headers, body }: AnyRequest,
  { allowed, lookUp = lookUpAddresses, agentFor }: SendOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(address);
  const isTls = url.protocol === "https:";
  const isAllowed = isAllowedHost(url, allowed);
  requireAllowedUrl(url, isAllowed);
  // Node's TLS takes 2 MB, and many installations have no webhooks.
  const open = isTls ? (await import("node:https")).request : requestHttp;
  const request = open(url, {
    method: body === undefined ? "GET" : "POST",
    // Never the global agent, which may use a proxy from the environment.
    agent: (await agentFor?.(url)) ?? false,
    signal,
    lookup: checkedLookup(isAllowed, lookUp, signal),
    ...CONNECTING,
    // Regardless of NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    headers: { ...headers, ...(body !== undefined && { "content-length": Buffer.byteLength(body) }) },
  });
  // An error after the response only ends its body.
  request.on("error", () => {});
  const phase = followPhase(request, isTls);
  request.end(body);
  try {
    const [response] = (await Promise.race([once(request, "response"), closed(request)])) as [
      IncomingMessage,
    ];
    return response;
  } catch (error) {
    throw error instanceof AttemptFailure ? error : new AttemptFailure(phase(), error);
  }
}

function requireAllowedUrl(url: URL, isAllowed: boolean): void {
  if (isAllowed) return;
  const address = addressInUrl(url);
  const isForbidden = url.protocol !== "https:" || (address !== undefined && !isGlobalAddress(address));
  if (isForbidden) throw new AttemptFailure("address_not_allowed");
}

/**
 * Looks up a name once for each connection. The connection goes to exactly the addresses that were checked, so that the name cannot
 * change in between.
 */
const checkedLookup =
  (isAllowed: boolean, lookUp: LookUp, signal: AbortSignal): LookupFunction =>
  async (hostname, options, done) => {
    let addresses: string[];
    try {
      addresses = await checkedAddresses(hostname, isAllowed, lookUp, signal);
    } catch (error) {
      done(error as Error, "");
      return;
    }
    const answers = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = answers;
    if (options.all === true) done(null, answers);
    else done(null, first?.address ?? "", first?.family);
  };

/** The addresses to connect to. Throws unless all of them are global, or the host is allowed. */
async function checkedAddresses(
  hostname: string,
  isAllowed: boolean,
  lookUp: LookUp,
  signal: AbortSignal,
): Promise<string[]> {
  const addresses = await lookUpInTime(hostname, isAllowed, lookUp, signal);
  if (addresses.length === 0) throw new AttemptFailure("lookup");
  if (!isAllowed && !addresses.every(isGlobalAddress)) throw new AttemptFailure("address_not_allowed");
  return addresses;
}

async function lookUpInTime(hostname: string, isAllowed: boolean, lookUp: LookUp, signal: AbortSignal) {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(new AttemptFailure("timeout"));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([lookUp(hostname, { isAllowed, signal }), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** How far the request has got, which is what an error is about. */
function followPhase(request: ClientRequest, isTls: boolean): () => AttemptError {
  let phase: AttemptError = "connect";
  request.once("socket", (socket) => {
    // An agent may have kept the connection.
    if (!socket.connecting) return void (phase = "protocol");
    socket.once("connect", () => (phase = isTls ? "tls" : "protocol"));
    socket.once("secureConnect", () => (phase = "protocol"));
  });
  return () => phase;
}

/** Rejects if the connection ends before a response, for example after a switch of protocols. */
async function closed(request: ClientRequest): Promise<never> {
  await once(request, "close");
  throw new Error("The connection was closed.");
}

async function readStart(
  response: IncomingMessage,
  { bodyMs = BODY_MS, maxBodyBytes = MAX_BODY_BYTES }: SendOptions,
): Promise<string> {
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => response.destroy(), bodyMs);
  try {
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBodyBytes) break;
    }
  } catch {
    // What was received until the connection broke is enough.
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
  // PostgreSQL's JSON cannot contain NUL.
  return Buffer.concat(chunks).subarray(0, maxBodyBytes).toString("utf8").replaceAll("\0", "\uFFFD");
}
