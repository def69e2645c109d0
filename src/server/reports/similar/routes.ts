import type { FastifyRequest } from "fastify";
import { SIMILAR_KINDS, similarAnswer, similarQuery, type SimilarKind } from "../../../shared/similar.ts";
import type { Api } from "../../access/context.ts";
import { mayProjectTokenRead, mayRead } from "../../access/readable-kinds.ts";
import { forbidden } from "../../answers/errors.ts";
import { findSimilar } from "./find-similar.ts";

export function similarRoutes(api: Api) {
  api.get(
    "/api/projects/:projectId/similar",
    {
      config: { needs: "access", projectToken: "read", area: "reports" },
      onRequest: async (request) => {
        if (readableKinds(request).length === 0)
          throw forbidden("You may read neither the project's reports nor its issues and errors.");
      },
      schema: {
        operationId: "findSimilar",
        summary: "Find reports, issues and errors that are similar to a text",
        description:
          "The five most similar ones in any state, of the kinds that the caller may read. Compares the words of title and description, and the trigrams of the title, without case and accents.",
        querystring: similarQuery,
        response: { 200: similarAnswer },
      },
    },
    (request) => findSimilar(request.db, request.project.id, readableKinds(request), request.query),
  );
}

/** The kinds whose permission the caller has and whose feature is on. */
const readableKinds = (request: Pick<FastifyRequest, "access" | "features" | "caller">): SimilarKind[] =>
  SIMILAR_KINDS.filter(
    (kind) => mayRead(request, kind) && (request.caller.kind !== "project" || mayProjectTokenRead(kind)),
  );
