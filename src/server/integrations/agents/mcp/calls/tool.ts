import { z } from "zod";
import type { AuditSubject } from "../../../../../shared/audit.ts";
import { MAX_TOKENS } from "../../markdown/write-markdown.ts";
import { DEFAULT_TOKENS, type Call } from "./call.ts";

/** What a tool returns. `structured` has ids, states and links, and no text from outside. */
export type ToolAnswer = { text: string; structured: Record<string, unknown> };

/** What a tool changed, for the audit log. */
export type Written = ToolAnswer & {
  project_id: number;
  subject: { type: AuditSubject; id: number; name: string | null };
};

type Described<Shape extends z.ZodRawShape> = {
  name: string;
  title: string;
  description: string;
  input: Shape;
};

type Input<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

export type Tool = {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: false;
  };
} & (
  | { writes: false; run: (call: Call, input: never) => Promise<ToolAnswer> }
  | { writes: true; run: (call: Call, input: never) => Promise<Written> }
);

const maxTokens = z
  .int({ error: `must be a whole number from 200 to ${MAX_TOKENS}` })
  .min(200, `must be a whole number from 200 to ${MAX_TOKENS}`)
  .max(MAX_TOKENS, `must be a whole number from 200 to ${MAX_TOKENS}`)
  .default(DEFAULT_TOKENS)
  .describe("The most tokens of the answer, of four characters each.");

/** A tool that changes nothing. */
export const readingTool = <Shape extends z.ZodRawShape>({
  input,
  ...tool
}: Described<Shape> & { run: (call: Call, input: Input<Shape>) => Promise<ToolAnswer> }): Tool => ({
  ...tool,
  writes: false,
  input: z.strictObject({ ...input, max_tokens: maxTokens }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

type Effect = {
  /** It replaces or ends something, rather than only adding. */
  destructive: boolean;
  /** A repetition changes nothing more. */
  idempotent: boolean;
};

/** A tool that changes something, in one transaction with its entry in the audit log. */
export const writingTool = <Shape extends z.ZodRawShape>({
  input,
  effect,
  ...tool
}: Described<Shape> & {
  effect: Effect;
  run: (call: Call, input: Input<Shape>) => Promise<Written>;
}): Tool => ({
  ...tool,
  writes: true,
  input: z.strictObject({ ...input, max_tokens: maxTokens }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: effect.destructive,
    idempotentHint: effect.idempotent,
    openWorldHint: false,
  },
});
