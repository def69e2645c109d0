import type { FastifyReply, FastifyRequest } from "fastify";
import type { Api, Context } from "../../../access/context.ts";
import { answerError, forbidden, HttpError } from "../../../answers/errors.ts";
import type { ReadFrames } from "../../../errors/groups/routes.ts";
import { budgetOf, DEFAULT_TOKENS } from "./calls/call.ts";

const path = "/api/mcp";

/**
 * The Model Context Protocol for agents. Its tools call the routes of the API with the token of the request, so a tool is never
 * allowed more than its route.
 */
export function mcpRoutes(api: Api, context: Context, readFrames: ReadFrames) {
  const { outside, publicUrl } = context;

  api.post(
    path,
    {
      config: { needs: "caller", area: "any", onlyReads: true },
      onRequest: async (request) => requireAgent(request, publicUrl()),
      errorHandler: (error, request, reply) => {
        void answerError(challenged(error, publicUrl()), request, reply);
      },
    },
    async (request, reply) => {
      // The SDK is loaded when it is first used, because few servers have agents.
      const { serveMcp } = await import("./serve-mcp.ts");
      const budget = budgetOf(DEFAULT_TOKENS);
      const response = await serveMcp({ api, request, reply, context, readFrames, db: outside, budget });
      return reply
        .code(response.status)
        .headers(Object.fromEntries(response.headers))
        .send(await response.text());
    },
  );

  for (const method of ["GET", "DELETE"] as const)
    api.route({ method, url: path, config: { needs: "nothing" }, handler: refuseMethod });
}

function requireAgent({ caller, headers }: FastifyRequest, publicUrl: string): void {
  if (caller.kind === "session") throw forbidden("MCP needs a token. Browser sessions may not use it.");
  if (headers.origin !== undefined && headers.origin !== publicUrl)
    throw forbidden("Pages of this origin may not use MCP.");
}

/** Names where clients learn how to get a token. */
function challenged(error: Error, publicUrl: string): Error {
  if (!(error instanceof HttpError) || error.status !== 401) return error;
  const metadata = `${publicUrl}/.well-known/oauth-protected-resource${path}`;
  return new HttpError(
    401,
    error.message,
    {},
    { "www-authenticate": `Bearer resource_metadata="${metadata}"` },
  );
}

/** There are no sessions, so there is nothing to read or to end. */
async function refuseMethod(_request: FastifyRequest, _reply: FastifyReply): Promise<never> {
  throw new HttpError(405, "Send MCP requests with POST.", {}, { allow: "POST" });
}
