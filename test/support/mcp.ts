import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export const REVISIONS = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof REVISIONS)[number];

/** An MCP client of a listening server. Close it after use. */
export async function connectMcp(base: string, token: string, revision: Revision): Promise<Client> {
  const isModern = revision === "2026-07-28";
  const client = new Client(
    { name: "test-agent", version: "1.2.3" },
    isModern ? { versionNegotiation: { mode: { pin: revision } } } : {},
  );
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${base}/api/mcp`), { requestInit: { headers } }),
  );
  return client;
}

export type ToolResult = {
  isError: boolean;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests know what a tool returns
  structured: any;
};

export async function callTool(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
): Promise<ToolResult> {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: input });
  const [part] = content;
  return { isError, text: part?.type === "text" ? part.text : "", structured: structuredContent };
}
