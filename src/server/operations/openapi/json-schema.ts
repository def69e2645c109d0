import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

const COMPONENTS = "#/components/schemas/";

/**
 * Turns zod into the document's schemas. A schema that has a name becomes a component where it is first met, and a
 * reference everywhere.
 */
export class JsonSchemas {
  readonly components: Record<string, JsonSchema> = {};
  readonly #names = z.registry<{ id: string }>();

  constructor(names: Record<string, z.ZodType>) {
    for (const [id, schema] of Object.entries(names)) this.#names.add(schema, { id });
  }

  /** As it is sent by the client, or answered by the server. */
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

/** What the schema says of itself by `meta`, and nothing that only says what JSON says anyway. */
function adjust(zodSchema: z.core.$ZodType, jsonSchema: JsonSchema, io: "input" | "output") {
  delete jsonSchema["id"];
  Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
  if (jsonSchema["maximum"] === Number.MAX_SAFE_INTEGER) delete jsonSchema["maximum"];
  if (jsonSchema["minimum"] === Number.MIN_SAFE_INTEGER) delete jsonSchema["minimum"];
  if (Array.isArray(jsonSchema["enum"]) && jsonSchema["enum"].every(Number.isInteger))
    jsonSchema["type"] = "integer";
  if (jsonSchema["type"] === "integer") delete jsonSchema["pattern"];
  // zod's own patterns of times are pages long, and the format says it.
  if (jsonSchema["format"] !== undefined && String(jsonSchema["pattern"]).length > 120)
    delete jsonSchema["pattern"];
  // Tests hold answers to exactly these fields; a client has to bear with new ones.
  if (io === "output") delete jsonSchema["additionalProperties"];
}

/** References into the schema's own definitions, as references to components. */
function relinked(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENTS}`)) as JsonSchema;
}
