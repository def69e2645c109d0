import assert from "node:assert/strict";
import { test } from "node:test";
import { useTestApp } from "../../../../../test/support/test-app.ts";
import { SCOPES } from "../../../../shared/token-scopes.ts";

const URL_OF_SERVER = "https://signalbox.example.com";
const t = await useTestApp({ PUBLIC_URL: URL_OF_SERVER });

for (const path of ["", "/api/mcp"])
  test(`the resource ${path || "of the whole server"} names this server as the one that grants access`, async () => {
    const { status, body } = await t.http.get(`/.well-known/oauth-protected-resource${path}`);
    assert.deepEqual(
      [status, body.resource, body.authorization_servers, body.scopes_supported],
      [200, `${URL_OF_SERVER}${path}`, [URL_OF_SERVER], SCOPES],
    );
  });

test("the server's metadata names its endpoints and only what is safe", async () => {
  const { status, body } = await t.http.get("/.well-known/oauth-authorization-server");
  assert.equal(status, 200);
  assert.deepEqual(body, {
    issuer: URL_OF_SERVER,
    authorization_endpoint: `${URL_OF_SERVER}/oauth/authorize`,
    token_endpoint: `${URL_OF_SERVER}/api/oauth/token`,
    revocation_endpoint: `${URL_OF_SERVER}/api/oauth/revoke`,
    registration_endpoint: `${URL_OF_SERVER}/api/oauth/register`,
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
});
