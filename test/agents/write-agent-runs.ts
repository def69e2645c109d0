import { writeFile } from "node:fs/promises";
import path from "node:path";
import { makeHome, run, startServer } from "../support/program.ts";
import { connectMcp } from "../support/mcp.ts";
import { openRun, type AgentRun } from "./agent-run.ts";

/**
 * Writes docs/agent-runs.md: three runs of a small scripted agent against a server with the demo's data, one for each prompt. Run it
 * after changing a tool or a prompt: `npm run docs:agents`.
 */

const FILE = path.join(import.meta.dirname, "../../docs/agent-runs.md");
const URL = "https://signalbox.example.com";
const LENGTH = { max_tokens: 900 };

const INTRODUCTION = `# Runs of an agent

A small script takes the place of the language model in these runs. It starts from each of the three [prompts](agents.md#prompts) and calls the
tools of a server with the demo's data. Everything in code blocks is what the client sent and what the server returned. Written by
\`npm run docs:agents\`.`;

const home = await makeHome();
try {
  const demo = await run(home, ["demo"], { PUBLIC_URL: URL });
  const server = await startServer(home);
  const token = await createToken(server.url, demo.stdout.trim());
  const client = await connectMcp(server.url, token, "2026-07-28");
  const runs = [fixAnError, triage, findWhatBroke];
  const sections: string[] = [];
  for (const work of runs) {
    const agentRun = openRun(client);
    await work(agentRun);
    sections.push(agentRun.text());
  }
  await client.close();
  await writeFile(
    FILE,
    `${[INTRODUCTION, ...sections].join("\n\n")}\n`.replaceAll(`http://localhost:${server.port}`, URL),
  );
} finally {
  await home.remove();
}

/** A token that may do everything, for the demo's administrator. */
async function createToken(base: string, password: string): Promise<string> {
  const headers = { "content-type": "application/json", origin: base, "sec-fetch-site": "same-origin" };
  const body = JSON.stringify({ email: "demo@example.com", password });
  const session = await fetch(`${base}/api/session`, { method: "POST", headers, body });
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const created = await fetch(`${base}/api/profile/tokens`, {
    method: "POST",
    headers: { ...headers, cookie },
    body: JSON.stringify({ name: "Agent", write: true }),
  });
  const { token } = (await created.json()) as { token?: string };
  if (!token) throw new Error(`There is no token: ${created.status}`);
  return token;
}

async function fixAnError(agent: AgentRun): Promise<void> {
  agent.begin("Fix an error");
  const filter = { project: "SHOP", status: "open", sort: "impact", limit: 3 };
  const { structured: list } = await agent.call("list_error_groups", filter);
  const [{ id }] = list.error_groups;
  await agent.prompt("fix_this_error", { error_group_id: String(id) });
  const { text } = await agent.call("get_error_group", { error_group_id: id, ...LENGTH });
  const frame = agent.firstFrame(text);
  agent.say(`The first frame of the app is ${frame}. I open that file at that line.`);
  await agent.call("list_events", { error_group_id: id, max_tokens: 300 });
  const name = /^`{3,}\n([\w.$\\]+)/m.exec(text)?.[1] ?? "";
  await agent.call("search", { query: name, project: "SHOP", kind: "issue", max_tokens: 400 });
  agent.say(
    "I change the code at that line, add a test that fails without the change, and open a pull request.",
  );
  const content = `The cause is in \`${frame}\`. The fix is in the pull request, with a test that fails without it.`;
  await agent.call("comment", { error_group_id: id, content });
  agent.say("The pull request is merged.");
  await agent.call("update_error_group", {
    error_group_id: id,
    status: "resolved",
    in: "next_release",
    assignee: "me",
    max_tokens: 300,
  });
}

async function triage(agent: AgentRun): Promise<void> {
  agent.begin("Triage the queue");
  await agent.prompt("triage_the_queue", { project: "SHOP" });
  const { structured } = await agent.call("list_reports", { project: "SHOP", view: "active", limit: 3 });
  const [first, second] = structured.reports as { id: number }[];
  if (!first || !second) throw new Error("The demo has too few reports.");
  const titles: string[] = [];
  for (const { id } of [first, second]) {
    const { text } = await agent.call("get_report", { report_id: id, ...LENGTH });
    const [, title = "", description = ""] = [...text.matchAll(/^`{3,}\n(.*)\n`{3,}$/gm)]
      .map(([, line]) => line)
      .toSpliced(0, 0, "");
    titles.push(title);
    const compared = { title, ...(description && { description }) };
    await agent.call("similar", { project: "SHOP", ...compared, except_report_id: id, max_tokens: 500 });
  }
  agent.say(
    `I propose to promote report ${first.id}, which describes a problem that can be fixed, and to dismiss report ${second.id} as not planned. A person agrees.`,
  );
  await agent.call("promote_reports", {
    project: "SHOP",
    report_ids: [first.id],
    title: titles[0] ?? "",
    description: `Reported by a user: see report ${first.id}.`,
    max_tokens: 400,
  });
  const dismissal = {
    report_id: second.id,
    category: "not-planned",
    note: "Thank you. We do not plan this.",
  };
  await agent.call("dismiss_report", { ...dismissal, max_tokens: 400 });
}

async function findWhatBroke(agent: AgentRun): Promise<void> {
  agent.begin("Find out what a release broke");
  const { structured: list } = await agent.call("list_releases", { project: "SHOP", max_tokens: 400 });
  const release = list.releases[0].version;
  await agent.prompt("what_did_this_release_break", { project: "SHOP", release });
  const { structured } = await agent.call("get_release", { project: "SHOP", version: release, ...LENGTH });
  const broken = [...structured.introduced, ...structured.regressed].slice(0, 2) as {
    id: number;
    url: string;
  }[];
  const findings: string[] = [];
  for (const { id, url } of broken) {
    const { text } = await agent.call("get_error_group", { error_group_id: id, max_tokens: 600 });
    findings.push(`error ${id} (<${url}>) in ${agent.firstFrame(text)}`);
  }
  agent.say(`Release ${release} broke ${findings.length} things: ${findings.join("; ")}.`);
}
