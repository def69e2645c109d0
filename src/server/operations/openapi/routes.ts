import type { Api } from "../../access/context.ts";
import { answersWith, type Operation } from "../../answers/operation.ts";

/** The API's own description, for programs (platform.md, about). Loaded and written when it is first asked for. */
export function openApiRoutes(api: Api, operations: Operation[]) {
  let document: Promise<string> | undefined;

  api.get(
    "/api/openapi.json",
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "readOpenApi",
        summary: "Read this document",
        response: { 200: answersWith("application/json") },
      },
    },
    async (_request, reply) => {
      document ??= write(operations).catch((error: unknown) => {
        // One failure is not told for ever.
        document = undefined;
        throw error;
      });
      return reply.type("application/json; charset=utf-8").send(await document);
    },
  );
}

async function write(operations: Operation[]): Promise<string> {
  const { openApiDocument } = await import("./document.ts");
  return JSON.stringify(await openApiDocument(operations));
}
