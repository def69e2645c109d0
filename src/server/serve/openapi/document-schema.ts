import { z } from "zod";

/** The OpenAPI document itself, as far as clients may rely on it. */
export const openApiAnswer = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.looseObject({})),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});

/** Examples for the API reference. */
export const openApiExamples = {
  OpenApi: {
    schema: openApiAnswer,
    example: {
      openapi: "3.1.1",
      info: { title: "Signalbox", version: "1.0.0" },
      paths: { "/api/health": {} },
      components: { schemas: {} },
    },
  },
};
