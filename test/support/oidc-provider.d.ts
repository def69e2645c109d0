declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Claims = Record<string, unknown>;

  class Grant {
    constructor(owner: { clientId: string; accountId: string });
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  /** The part of a hook's context that the tests use. */
  type Context = {
    oidc: {
      provider: { Grant: typeof Grant };
      client: { clientId: string };
      session: { accountId: string };
    };
  };

  export class Provider {
    constructor(
      issuer: string,
      options: {
        clients: Record<string, unknown>[];
        jwks: { keys: object[] };
        cookies: { keys: string[] };
        claims: Record<string, string[]>;
        conformIdTokenClaims: boolean;
        features: { devInteractions: { enabled: boolean } };
        interactions: { url: (context: Context, interaction: { uid: string }) => string };
        ttl: Record<string, number>;
        findAccount: (
          context: Context,
          id: string,
        ) => { accountId: string; claims: () => Claims } | undefined;
        loadExistingGrant: (context: Context) => Promise<Grant>;
      },
    );
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
