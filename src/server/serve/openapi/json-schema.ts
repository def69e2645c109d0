import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

const COMPONENTS = "#/components/schemas/";

/** Converts zod schemas to JSON Schema. A named schema becomes a component when it is first used, and a reference everywhere. */
export class JsonSchemas {
  readonly components: Record<string, JsonSchema> = {};
  readonly #names = z.registry<{ id: string }>();

  constructor(names: Record<string, z.ZodType>) {
    for (const [id, schema] of Object.entries(names)) this.#names.add(schema, { id });
  }

  /** `input` describes what clients send, `output` what the server responds. */
  of(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const name = this.#names.get(schema)?.id;
    const { $defs = {}, $schema: _, $id: __, id: ___, ...converted } = this.#convert(schema, io);
    for (const [id, definition] of Object.entries($defs as Record<string, JsonSchema>))
      this.components[id] ??= relinked(definition);
    if (name === undefined) return relinked(converted);
    this.components[name] ??= relinked(converted);
    return { $ref: `${COMPONENTS}${name}` };
  }

  #convert(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    return z.toJSONSchema(schema, {
      metadata: this.#names,
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => adjust(zodSchema, jsonSchema as JsonSchema, io),
    });
  }
}

/** Applies what the schema declares with `meta`, and removes redundant keywords. */
function adjust(zodSchema: z.core.$ZodType, jsonSchema: JsonSchema, io: "input" | "output") {
  delete jsonSchema["id"];
  Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
  if (jsonSchema["maximum"] === Number.MAX_SAFE_INTEGER) delete jsonSchema["maximum"];
  if (jsonSchema["minimum"] === Number.MIN_SAFE_INTEGER) delete jsonSchema["minimum"];
  if (Array.isArray(jsonSchema["enum"]) && jsonSchema["enum"].every(Number.isInteger))
    jsonSchema["type"] = "integer";
  if (jsonSchema["type"] === "integer") delete jsonSchema["pattern"];
  // zod's patterns for dates and times are pages long; `format` says the same.
  if (jsonSchema["format"] !== undefined && String(jsonSchema["pattern"]).length > 120)
    delete jsonSchema["pattern"];
  // Tests allow no undocumented fields, but clients must accept new fields in later versions.
  if (io === "output") delete jsonSchema["additionalProperties"];
}

/** Replaces references to the schema's own definitions with references to components. */
function relinked(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENTS}`)) as JsonSchema;
}
