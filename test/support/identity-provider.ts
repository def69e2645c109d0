import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** The claims about a user, except the subject. */
export type Person = {
  email?: string;
  email_verified?: boolean;
  preferred_username?: string;
  given_name?: string;
  family_name?: string;
  name?: string;
};

export type IdentityProvider = {
  issuer: string;
  /** The environment variables that configure Signalbox for it. */
  settings: Record<string, string>;
  /** The users of the provider, by subject. */
  people: Map<string, Person>;
  /** Who signs in at the provider. Nobody does if it is empty. */
  subject: string;
  /** Signs in as the subject at the provider's URL, and returns the path that the browser is redirected to. */
  signIn(address: string, subject: string): Promise<string>;
  /** How many seconds ago users authenticated, for a provider that ignores `max_age`. */
  authenticatedAgo: number;
  /** Set to true to make every request fail with a server error. */
  isBroken: boolean;
  stop(): Promise<void>;
};

const CLIENT = { client_id: "signalbox", client_secret: "a-client-secret" };

/** Starts an OpenID provider on the loopback interface that asks only for a subject. */
export async function startIdentityProvider(
  options: { claimsInIdToken?: boolean; authMethod?: string } = {},
): Promise<IdentityProvider> {
  const people = new Map<string, Person>();
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // If a test fails before it stops the provider, the process must still exit.
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        // The redirect URIs of a native client may have any port of the loopback interface.
        application_type: "native",
        redirect_uris: ["http://localhost:3000/api/oidc/callback"],
        token_endpoint_auth_method: options.authMethod ?? "client_secret_basic",
      },
    ],
    jwks: { keys: [signingKey()] },
    cookies: { keys: ["a-cookie-key"] },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", "given_name", "family_name", "preferred_username"],
    },
    conformIdTokenClaims: !(options.claimsInIdToken ?? false),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_context, id) => {
      const person = people.get(id);
      return person && { accountId: id, claims: () => ({ sub: id, ...person }) };
    },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  server.on("request", (request, response) => {
    if (opened.isBroken) return response.writeHead(500).end();
    if (!request.url?.startsWith("/interaction/")) return handle(request, response);
    const ts = Math.floor(Date.now() / 1000) - opened.authenticatedAgo;
    // A native client needs consent, too.
    const result =
      opened.subject === ""
        ? { error: "access_denied" }
        : { login: { accountId: opened.subject, ts }, consent: {} };
    provider.interactionFinished(request, response, result).catch((error: Error) => response.destroy(error));
  });
  const opened: IdentityProvider = {
    issuer,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
    },
    people,
    subject: "",
    signIn: (address, who) => {
      opened.subject = who;
      return browse(address);
    },
    authenticatedAgo: 0,
    isBroken: false,
    stop: () => stop(server),
  };
  return opened;
}

function signingKey(): object {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "test" };
}

/** Follows redirects, with the provider's cookies, until one leads to another origin. */
async function browse(start: string): Promise<string> {
  const cookies = new Map<string, string>();
  let address = new URL(start);
  const { origin } = address;
  for (let step = 0; step < 10; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(address, { redirect: "manual", headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    assert.ok(
      location,
      `the provider answers ${answer.status} instead of a redirect: ${await answer.text()}`,
    );
    address = new URL(location, address);
    if (address.origin !== origin) return `${address.pathname}${address.search}`;
  }
  throw new Error("the provider redirects for ever");
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}
