import type { Client } from "@modelcontextprotocol/client";
import { after } from "node:test";
import type { Scope } from "../../src/shared/token-scopes.ts";
import { makePersonalToken, makeWorkspace } from "./make.ts";
import { connectMcp, type Revision } from "./mcp.ts";
import { openProject } from "./project.ts";
import { useTestApp } from "./test-app.ts";

/** A listening app with two projects in different workspaces, and MCP clients for the administrator of the first. */
export async function openMcpProject() {
  const t = await useTestApp();
  const base = await t.app.listen({ port: 0, host: "127.0.0.1" });
  const workspace = await makeWorkspace(t.db);
  const project = await openProject(t, workspace);
  const elsewhere = await openProject(t, await makeWorkspace(t.db));
  const { key } = (await project.admin.get(`/api/projects/${project.id}`)).body as { key: string };
  const connect = async (token: string, revision: Revision = "2026-07-28"): Promise<Client> => {
    const client = await connectMcp(base, token, revision);
    after(() => client.close());
    return client;
  };
  const userId = workspace.admin.id;
  return {
    t,
    base,
    workspace,
    project,
    key,
    path: `/api/projects/${project.id}`,
    /** A project of other people. */
    elsewhere,
    connect,
    agent: await connect(await makePersonalToken(t.db, userId)),
    reader: await connect(await makePersonalToken(t.db, userId, { write: false })),
    scoped: async (scopes: Scope[]) =>
      connect(await makePersonalToken(t.db, userId, { scopes, project_ids: [project.id] })),
  };
}
