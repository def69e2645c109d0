import type { FastifyRequest } from "fastify";
import type { Authority } from "./authority.ts";
import type { Caller } from "./caller.ts";
import { cookieName } from "./sessions.ts";
import { forbidden, unauthorized } from "../answers/errors.ts";

export type SessionCaller = Extract<Caller, { kind: "session" }>;

export type Credential = { kind: "token" | "session" | "none"; secret: string };

/**
 * A bearer token takes precedence over a cookie, even if the token is invalid and the cookie valid. With `tokenOnly`,
 * cookies are ignored.
 */
export function credentialOf(request: FastifyRequest, publicUrl: string, tokenOnly: boolean): Credential {
  const header = request.headers.authorization;
  if (header !== undefined) return { kind: "token", secret: /^bearer +(\S+) *$/i.exec(header)?.[1] ?? "" };
  const secret = tokenOnly ? undefined : request.cookies[cookieName(publicUrl)];
  return secret === undefined ? { kind: "none", secret: "" } : { kind: "session", secret };
}

/** The caller whose credential it is; undefined if it is missing or invalid. */
export async function callerBy(
  authority: Authority,
  { kind, secret }: Credential,
): Promise<Caller | undefined> {
  if (kind === "none") return undefined;
  return kind === "token" ? authority.callerByToken(secret) : authority.callerBySession(secret);
}

/** The 401 for a missing or invalid credential. */
export function invalidCredential(kind: Credential["kind"], tokenOnly: boolean) {
  if (kind === "none") return unauthorized(tokenOnly ? "Send a token." : "Sign in, or send a token.");
  return kind === "token" ? unauthorized("The token is invalid, revoked or expired.") : endedSession();
}

/** The 401 for a session that has ended, perhaps during the request. */
export const endedSession = () => unauthorized("The session has ended. Sign in again.");

/** The signed-in user; undefined without a valid session cookie, or if a token takes precedence over it. */
export async function optionalSession(
  authority: Authority,
  request: FastifyRequest,
  publicUrl: string,
): Promise<SessionCaller | undefined> {
  const secret = request.cookies[cookieName(publicUrl)];
  if (secret === undefined || request.headers.authorization !== undefined) return undefined;
  const caller = await authority.callerBySession(secret);
  if (caller?.kind !== "session") return undefined;
  requireSameOrigin(request, publicUrl);
  return caller;
}

/** Methods that only read. */
export const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Protects against CSRF: another site can make a browser send the cookie, but cannot forge these headers. */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string) {
  if (SAFE.has(request.method)) return;
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site === "same-origin" || (site === undefined && origin === publicUrl)) return;
  throw forbidden("A request with a session cookie must come from the app itself.");
}

/** Prevents other sites from signing a visitor in. Programs send no `Sec-Fetch-Site` and are accepted. */
export function refuseCrossSite(request: FastifyRequest) {
  const site = request.headers["sec-fetch-site"];
  if (!SAFE.has(request.method) && (site === "cross-site" || site === "same-site"))
    throw forbidden("This request must come from the app itself.");
}
