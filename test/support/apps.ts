import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { TokenAnswer } from "../../src/shared/oauth.ts";
import type { Scope } from "../../src/shared/token-scopes.ts";
import type { Db } from "../../src/server/db/connect.ts";
import type { Answer, Client } from "./client.ts";

/** Where the app of these tests gets its codes. */
export const REDIRECT = "https://agent.example/callback";

/** The pair of RFC 7636, appendix B. */
export const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

type Parameters = Record<string, string | undefined>;

/** Sends a form, as OAuth clients do. */
export function postForm(http: Client, url: string, form: Parameters): Promise<Answer> {
  const payload = new URLSearchParams(Object.entries(form).filter(([, value]) => value !== undefined) as []);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return http.send({ method: "POST", url, headers, payload: payload.toString() });
}

/** Registers an app, without the limit of registrations. Returns its client id. */
export async function makeApp(db: Db, redirect_uris: string[] = [REDIRECT]): Promise<string> {
  const id = `app_${randomUUID()}`;
  await db.insertInto("oauth_clients").values({ id, name: "Example agent", redirect_uris }).execute();
  return id;
}

/** The parameters with which the app sends a person to /oauth/authorize. */
export const requestOf = (client_id: string, changes: Parameters = {}): Parameters => ({
  client_id,
  redirect_uri: REDIRECT,
  response_type: "code",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
  state: "the state",
  ...changes,
});

export type Allowed = { scopes?: Scope[]; project_ids: number[] };

/** The answer to a person who allows what the app asks for. */
export const consent = (
  browser: Client,
  request: Parameters,
  { scopes = ["issues:write"], project_ids }: Allowed,
) => browser.post("/api/oauth/consent", { ...request, approve: true, scopes, project_ids });

/** A code that a person has allowed. */
export async function getCode(browser: Client, request: Parameters, allowed: Allowed): Promise<string> {
  const answer = await consent(browser, request, allowed);
  assert.equal(answer.status, 200, answer.text);
  return new URL(answer.body.redirect_to).searchParams.get("code") ?? "";
}

export const exchange = (http: Client, client_id: string, code: string, changes: Parameters = {}) =>
  postForm(http, "/api/oauth/token", {
    grant_type: "authorization_code",
    client_id,
    code,
    code_verifier: VERIFIER,
    redirect_uri: REDIRECT,
    ...changes,
  });

export const refresh = (http: Client, client_id: string, refresh_token: string, changes: Parameters = {}) =>
  postForm(http, "/api/oauth/token", {
    grant_type: "refresh_token",
    client_id,
    refresh_token,
    ...changes,
  });

/** The tokens of a new app that a person has connected. */
export async function connectApp(
  { db, http }: { db: Db; http: Client },
  browser: Client,
  allowed: Allowed,
): Promise<TokenAnswer & { clientId: string }> {
  const clientId = await makeApp(db);
  const answer = await exchange(http, clientId, await getCode(browser, requestOf(clientId), allowed));
  assert.equal(answer.status, 200, answer.text);
  return { ...answer.body, clientId };
}

/** The status and the error code of an answer of the token endpoint. */
export const refusalOf = (answer: Answer) => [answer.status, answer.body.error];
