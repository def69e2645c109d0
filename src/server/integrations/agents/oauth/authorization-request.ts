import type { Authorization, AuthorizationParameters } from "../../../../shared/oauth.ts";
import { isLocalRedirect, isRegistered } from "../../../../shared/redirect-address.ts";
import { SCOPES, type Scope } from "../../../../shared/token-scopes.ts";
import { invalid } from "../../../answers/errors.ts";
import type { AllowedHosts } from "../../../config/allowed-hosts.ts";
import type { Db } from "../../../db/connect.ts";
import type { Client } from "./client-document.ts";
import { findClient } from "./find-client.ts";
import { isResource } from "./resource.ts";

/** Why a request cannot be granted: for the client, its code, and for people, the parameter and what is wrong with it. */
type Problem = { error: string; parameter: keyof AuthorizationParameters; message: string };

export type AuthorizationRequest = {
  client: Client;
  redirectHost: string;
  /** What the client asks for. Reading everything if it asks for nothing. */
  scopes: Scope[];
  problem: Problem | undefined;
};

type Server = { db: Db; allowed: AllowedHosts; publicUrl: string };

/**
 * Reads an authorization request. 422 on `client_id` or `redirect_uri` if it is unknown where the answer may go: then nobody but the
 * person may get one.
 */
export async function readAuthorizationRequest(
  { db, allowed, publicUrl }: Server,
  parameters: AuthorizationParameters,
): Promise<AuthorizationRequest> {
  const client = await findClient(db, parameters.client_id, allowed);
  if (!isRegistered(client.redirectUris, parameters.redirect_uri))
    throw invalid({ redirect_uri: ["is not one of the client's addresses"] });
  return {
    client,
    redirectHost: new URL(parameters.redirect_uri).host,
    scopes: requestedScopes(parameters.scope),
    problem: problemOf(parameters, publicUrl),
  };
}

export const describeAuthorization = (
  { client, redirectHost, scopes, problem }: AuthorizationRequest,
  parameters: AuthorizationParameters,
  publicUrl: string,
): Authorization => ({
  client: { id: client.id, name: client.name, published_by: client.publishedBy },
  redirect_host: redirectHost,
  is_local: isLocalRedirect(parameters.redirect_uri),
  scopes,
  problem: problem
    ? {
        message: `${problem.parameter} ${problem.message}`,
        redirect_to: answerAddress(parameters, publicUrl, {
          error: problem.error,
          error_description: `${problem.parameter} ${problem.message}`,
        }),
      }
    : null,
});

/** The client's address with an answer, which names this server so that the client cannot take it for another one's (RFC 9207). */
export function answerAddress(
  { redirect_uri, state }: Pick<AuthorizationParameters, "redirect_uri" | "state">,
  publicUrl: string,
  answer: Record<string, string>,
): string {
  const query = new URLSearchParams({
    ...answer,
    ...(state !== undefined && { state }),
    iss: publicUrl,
  });
  return `${redirect_uri}${redirect_uri.includes("?") ? "&" : "?"}${query.toString()}`;
}

/** A SHA-256 hash as base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

function problemOf(parameters: AuthorizationParameters, publicUrl: string): Problem | undefined {
  const { response_type, code_challenge, code_challenge_method, resource, scope } = parameters;
  if (response_type !== "code")
    return {
      error: response_type === undefined ? "invalid_request" : "unsupported_response_type",
      parameter: "response_type",
      message: "must be code",
    };
  // Without a method, the challenge would be the verifier itself (RFC 7636).
  if (code_challenge_method !== "S256")
    return { error: "invalid_request", parameter: "code_challenge_method", message: "must be S256" };
  if (code_challenge === undefined || !CHALLENGE.test(code_challenge))
    return {
      error: "invalid_request",
      parameter: "code_challenge",
      message: "must be a SHA-256 hash as base64url",
    };
  if (resource !== undefined && !isResource(resource, publicUrl))
    return { error: "invalid_target", parameter: "resource", message: "must be an address of this server" };
  if (scope !== undefined && scope.trim() !== "" && requestedScopes(scope).length === 0)
    return {
      error: "invalid_scope",
      parameter: "scope",
      message: `must name some of ${SCOPES.join(", ")}`,
    };
  return undefined;
}

/** Unknown scopes are ignored, because clients also ask for those of other servers. */
function requestedScopes(scope = ""): Scope[] {
  const names = scope.split(" ").filter((name) => name !== "");
  if (names.length === 0) return SCOPES.filter((name) => name.endsWith(":read"));
  return SCOPES.filter((name) => names.includes(name));
}
