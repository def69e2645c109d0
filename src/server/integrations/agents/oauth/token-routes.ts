import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import {
  oauthErrorAnswer,
  revocationForm,
  tokenAnswer,
  tokenForm,
  type TokenAnswer,
  type TokenForm,
} from "../../../../shared/oauth.ts";
import { registrationAnswer, registrationBody } from "../../../../shared/oauth-clients.ts";
import type { Api, Context } from "../../../access/context.ts";
import { HttpError } from "../../../answers/errors.ts";
import { JSON_TYPE, noBody } from "../../../answers/operation.ts";
import type { Db } from "../../../db/connect.ts";
import { clientAddress } from "../../../http/client-address.ts";
import { readBytes } from "../../../http/read-body.ts";
import { exchangeCode } from "./exchange-code.ts";
import { oauthError } from "./oauth-error.ts";
import { refreshGrant } from "./refresh-grant.ts";
import { registerClient } from "./register-client.ts";
import { isResource } from "./resource.ts";
import { revokeToken } from "./revoke-token.ts";

const FORM_TYPE = "application/x-www-form-urlencoded";
const MAX_FORM_BYTES = 16_384;

const config = { needs: "nothing" } as const;

/** What clients call themselves. Needs a scope of its own for its forms. Errors are those of RFC 6749. */
export function tokenRoutes(api: Api, context: Context) {
  api.addContentTypeParser(FORM_TYPE, async (_request: FastifyRequest, stream: IncomingMessage) =>
    parseForm((await readBytes(stream, MAX_FORM_BYTES)).toString("utf8")),
  );
  tokenRoute(api, context);
  revocationRoute(api);
  registrationRoute(api);
}

function tokenRoute(api: Api, { lookups, publicUrl }: Context) {
  api.post(
    "/api/oauth/token",
    {
      config,
      schema: {
        operationId: "getAppTokens",
        summary: "Exchange a code or a refresh token for tokens",
        description:
          "`grant_type` is `authorization_code` (with `code`, `code_verifier` and `client_id`) or `refresh_token` (with `refresh_token` and `client_id`). An access token is valid for an hour, a refresh token for 30 days and once. If a code or a refresh token comes twice, everything that was granted with it is revoked.",
        reads: { [FORM_TYPE]: tokenForm },
        response: { 200: tokenAnswer, 400: oauthErrorAnswer },
      },
    },
    async ({ db, body }) => {
      const answer = await answerTokenForm(db, parsed(tokenForm, body), publicUrl());
      if (!(answer instanceof HttpError)) return answer;
      // The refusal may have revoked tokens.
      lookups.forget();
      throw answer;
    },
  );
}

async function answerTokenForm(db: Db, form: TokenForm, publicUrl: string): Promise<TokenAnswer | HttpError> {
  if (form.resource !== undefined && !isResource(form.resource, publicUrl))
    return oauthError("invalid_target", "resource must be an address of this server.");
  if (form.grant_type === "authorization_code") return exchangeCode(db, form);
  if (form.grant_type === "refresh_token") return refreshGrant(db, form);
  return oauthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
}

function revocationRoute(api: Api) {
  api.post(
    "/api/oauth/revoke",
    {
      config,
      schema: {
        operationId: "revokeAppToken",
        summary: "Revoke an app's token",
        description:
          "A refresh token ends everything that was granted to the app, an access token only itself. An unknown token is not an error.",
        reads: { [FORM_TYPE]: revocationForm },
        response: { 200: noBody, 400: oauthErrorAnswer },
      },
    },
    async ({ db, body }, reply) => {
      const { token, client_id } = parsed(revocationForm, body);
      await revokeToken(db, token, client_id);
      return reply.code(200).send();
    },
  );
}

function registrationRoute(api: Api) {
  api.post(
    "/api/oauth/register",
    {
      config,
      schema: {
        operationId: "registerApp",
        summary: "Register an app",
        description:
          "Every app is a public client and gets no secret. Addresses in `redirect_uris` use https, or http on localhost. A registration that nobody has used within a day is deleted. At most 10 an hour from one address.",
        reads: { [JSON_TYPE]: registrationBody },
        response: { 201: registrationAnswer, 400: oauthErrorAnswer },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await registerClient(request.db, clientAddress(request), request.body)),
  );
}

/** 400 with the first invalid parameter. */
function parsed<T extends z.ZodType>(form: T, body: unknown): z.output<T> {
  const result = form.safeParse(body ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw oauthError("invalid_request", `${issue?.path.join(".") || "The body"} ${issue?.message}.`);
}

/** Parameters must not be repeated (RFC 6749, 3.2), and an empty one counts as missing. */
function parseForm(text: string): Record<string, string> {
  const form: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === "") continue;
    if (name in form) throw oauthError("invalid_request", `${name} must not be repeated.`);
    form[name] = value;
  }
  return form;
}
