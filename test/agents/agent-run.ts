import type { Client } from "@modelcontextprotocol/client";
import { fenced } from "../../src/shared/markdown/fenced.ts";
import { callTool, type ToolResult } from "../support/mcp.ts";

/** A run of a scripted agent that writes down what it does. */
export type AgentRun = {
  begin(title: string): void;
  say(text: string): void;
  prompt(name: string, input: Record<string, string>): Promise<void>;
  /** Calls a tool; throws if it fails. */
  call(name: string, input: Record<string, unknown>): Promise<ToolResult>;
  /** "file:line" of the first frame of the trace in an error's text. */
  firstFrame(text: string): string;
  /** Everything so far as Markdown. */
  text(): string;
};

export function openRun(client: Client): AgentRun {
  const parts: string[] = [];
  return {
    begin: (title) => parts.push(`## ${title}`),
    say: (text) => parts.push(text),
    prompt: async (name, input) => {
      const { messages } = await client.getPrompt({ name, arguments: input });
      const text = messages.map(({ content }) => (content.type === "text" ? content.text : "")).join("\n");
      parts.push(`**Prompt** \`${name} ${JSON.stringify(input)}\``, fenced(text));
    },
    call: async (name, input) => {
      const result = await callTool(client, name, input);
      if (result.isError) throw new Error(`${name}: ${result.text}`);
      parts.push(`**Tool** \`${name} ${JSON.stringify(input)}\``, fenced(result.text.trimEnd()));
      return result;
    },
    firstFrame: (text) => {
      const trace = text.slice(text.indexOf("## Stack trace"));
      const [, file, line] = /([\w./@-]+\.[a-z]{1,4})[:(](\d+)/i.exec(trace) ?? [];
      if (file === undefined) throw new Error(`The text names no file:\n${text}`);
      return `${file}:${line}`;
    },
    text: () => parts.join("\n\n"),
  };
}
