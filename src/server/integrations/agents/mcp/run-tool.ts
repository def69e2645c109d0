import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { cutCodePoints } from "../../../../shared/text.ts";
import { fieldErrors } from "../../../answers/validation.ts";
import { describeError } from "../../../answers/errors.ts";
import { disconnectSignal } from "../../../http/disconnect-signal.ts";
import { RequestTransaction } from "../../../idempotency/request-transaction.ts";
import { budgetOf, sentencesOf, type Call } from "./calls/call.ts";
import { recordWrite } from "./record-write.ts";
import { ToolError } from "./calls/tool-error.ts";
import type { Tool, ToolAnswer } from "./calls/tool.ts";

/** Runs a tool with what the client sent. Whatever the client can correct is a result with `isError`. */
export async function runTool(tool: Tool, call: Call, input: unknown): Promise<CallToolResult> {
  const result = tool.input.safeParse(input ?? {});
  if (!result.success) return failed(describeInput(tool, result.error));
  const { max_tokens, ...values } = result.data;
  const within = { ...call, budget: budgetOf(max_tokens as number) };
  try {
    const { text, structured } = tool.writes
      ? await write(tool, within, values)
      : await tool.run(within, values as never);
    return { content: [{ type: "text", text }], structuredContent: structured };
  } catch (error) {
    if (error instanceof ToolError) return failed(error.message);
    // The SDK would send the message of any other error to the client.
    return failed(describeError(error as Error, call.request).message);
  }
}

/** Names a misspelled argument, which would otherwise be ignored. */
function describeInput({ name }: Tool, error: z.ZodError): string {
  const unknown = error.issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : []));
  if (unknown[0] !== undefined) return `${name} has no argument ${cutCodePoints(unknown[0], 100)}.`;
  return sentencesOf(fieldErrors(error));
}

const failed = (message: string): CallToolResult => ({
  content: [{ type: "text", text: message }],
  isError: true,
});

/** Everything that the tool changes and its entry in the audit log are one transaction. */
async function write(tool: Tool & { writes: true }, call: Call, input: object): Promise<ToolAnswer> {
  const { request, reply, context } = call;
  const taker = { project: "", credential: request.caller.key, signal: disconnectSignal(reply.raw) };
  const transaction = new RequestTransaction(context.outside, taker, async () => {});
  try {
    const written = await tool.run({ ...call, db: transaction.db }, input as never);
    await recordWrite(transaction.db, call, tool.name, written);
    await transaction.commit(async () => {});
    return written;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}
