import { z } from "zod";
import { SCOPES } from "./token-scopes.ts";

/** RFC 9728. */
export const protectedResourceAnswer = z.strictObject({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.enum(SCOPES)),
  bearer_methods_supported: z.array(z.literal("header")),
  resource_name: z.string(),
});

/** RFC 8414. */
export const authorizationServerAnswer = z.strictObject({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string(),
  registration_endpoint: z.string(),
  scopes_supported: z.array(z.enum(SCOPES)),
  response_types_supported: z.array(z.literal("code")),
  response_modes_supported: z.array(z.literal("query")),
  grant_types_supported: z.array(z.enum(["authorization_code", "refresh_token"])),
  code_challenge_methods_supported: z.array(z.literal("S256")),
  token_endpoint_auth_methods_supported: z.array(z.literal("none")),
  revocation_endpoint_auth_methods_supported: z.array(z.literal("none")),
  authorization_response_iss_parameter_supported: z.literal(true),
  client_id_metadata_document_supported: z.literal(true),
});

export type AuthorizationServer = z.infer<typeof authorizationServerAnswer>;
