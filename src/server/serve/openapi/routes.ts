import type { Api } from "../../access/context.ts";
import { answersWith, JSON_TYPE, type Operation } from "../../answers/operation.ts";
import { openApiAnswer } from "./document-schema.ts";

/** Serves the OpenAPI document. It is generated on the first request, since that takes half a second. */
export function openApiRoutes(api: Api, operations: Operation[]) {
  let document: Promise<string> | undefined;

  api.get(
    "/api/openapi.json",
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "readOpenApi",
        summary: "Read this document",
        response: { 200: answersWith(JSON_TYPE, openApiAnswer) },
      },
    },
    async (_request, reply) => {
      document ??= generate(operations).catch((error: unknown) => {
        // Do not cache a failure.
        document = undefined;
        throw error;
      });
      return reply.type("application/json; charset=utf-8").send(await document);
    },
  );
}

async function generate(operations: Operation[]): Promise<string> {
  const { openApiDocument } = await import("./document.ts");
  return JSON.stringify(await openApiDocument(operations));
}
