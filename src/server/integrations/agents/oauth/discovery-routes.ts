import {
  authorizationServerAnswer,
  protectedResourceAnswer,
  type AuthorizationServer,
} from "../../../../shared/oauth-discovery.ts";
import { SCOPES } from "../../../../shared/token-scopes.ts";
import type { Api, Context } from "../../../access/context.ts";
import { MCP_PATH } from "./resource.ts";

const config = { needs: "nothing" } as const;
const RESOURCE_PATH = "/.well-known/oauth-protected-resource";

/** What clients read first: which server grants access (RFC 9728), and how to ask it (RFC 8414). */
export function discoveryRoutes(api: Api, { publicUrl }: Context) {
  for (const path of ["", MCP_PATH])
    api.get(
      `${RESOURCE_PATH}${path}`,
      { config, schema: { response: { 200: protectedResourceAnswer } } },
      () => ({
        resource: `${publicUrl()}${path}`,
        authorization_servers: [publicUrl()],
        scopes_supported: SCOPES,
        bearer_methods_supported: ["header" as const],
        resource_name: "Signalbox",
      }),
    );

  api.get(
    "/.well-known/oauth-authorization-server",
    { config, schema: { response: { 200: authorizationServerAnswer } } },
    () => describeServer(publicUrl()),
  );
}

const describeServer = (url: string): AuthorizationServer => ({
  issuer: url,
  authorization_endpoint: `${url}/oauth/authorize`,
  token_endpoint: `${url}/api/oauth/token`,
  revocation_endpoint: `${url}/api/oauth/revoke`,
  registration_endpoint: `${url}/api/oauth/register`,
  scopes_supported: SCOPES,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});
