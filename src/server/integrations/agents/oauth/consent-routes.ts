import {
  authorizationAnswer,
  authorizationParameters,
  consentAnswer,
  consentBody,
} from "../../../../shared/oauth.ts";
import { invalid } from "../../../answers/errors.ts";
import type { Api, Context } from "../../../access/context.ts";
import {
  answerAddress,
  describeAuthorization,
  readAuthorizationRequest,
  type AuthorizationRequest,
} from "./authorization-request.ts";
import { createGrant } from "./create-grant.ts";
import { resourceOf } from "./resource.ts";

/** For the consent page at /oauth/authorize: what it shows, and the person's decision. For browser sessions only. */
export function consentRoutes(api: Api, { publicUrl, config: { webhookAllow: allowed } }: Context) {
  const config = { needs: "session" } as const;

  api.get(
    "/api/oauth/authorization",
    {
      config,
      schema: {
        operationId: "readAuthorization",
        summary: "Read an app's request for access",
        description:
          "The parameters are those of `/oauth/authorize`. 422 on `client_id` or `redirect_uri` if it is not certain where the answer may go. Any other mistake is the `problem`, with the address that tells the app.",
        querystring: authorizationParameters,
        response: { 200: authorizationAnswer },
      },
    },
    async ({ db, query }) => {
      const request = await readAuthorizationRequest({ db, allowed, publicUrl: publicUrl() }, query);
      return describeAuthorization(request, query, publicUrl());
    },
  );

  api.post(
    "/api/oauth/consent",
    {
      config,
      schema: {
        operationId: "decideAuthorization",
        summary: "Grant or refuse an app's request for access",
        description:
          "With `approve`, the app may read or write in the areas of `scopes` in the projects, whatever it asked for, and never more than its user. Send the browser to `redirect_to`. The code in it is valid for 60 seconds and works once.",
        body: consentBody,
        response: { 200: consentAnswer },
      },
    },
    async ({ db, body, caller }) => {
      const { approve, scopes = [], project_ids = [], ...parameters } = body;
      const request = await readAuthorizationRequest({ db, allowed, publicUrl: publicUrl() }, parameters);
      if (!approve)
        return { redirect_to: answerAddress(parameters, publicUrl(), { error: "access_denied" }) };
      refuseProblem(request);
      const { redirect_uri: redirectUri, code_challenge: codeChallenge = "", resource } = parameters;
      const code = await createGrant(db, caller.user_id, {
        client: request.client,
        redirectUri,
        redirectHost: request.redirectHost,
        codeChallenge,
        resource: resource === undefined ? null : resourceOf(resource),
        scopes,
        projectIds: project_ids,
      });
      return { redirect_to: answerAddress(parameters, publicUrl(), { code }) };
    },
  );
}

function refuseProblem({ problem }: AuthorizationRequest): void {
  if (problem) throw invalid({ [problem.parameter]: [problem.message] });
}
