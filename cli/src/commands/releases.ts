import type { Release } from "../../../src/shared/releases.ts";
import { LIMIT, type Command } from "../command.ts";
import { writeJson, writeLine, writtenTime } from "../output.ts";
import { oneLine } from "../terminal-text.ts";
import { writeList } from "../write-list.ts";

const list: Command = {
  name: "releases",
  summary: "List the releases of a project, the newest first",
  options: LIMIT,
  async run({ api, limit, projectPath, json }) {
    const releases = await api().list<Release>(`${projectPath()}/releases`, {}, limit());
    writeList(releases, json, [
      { name: "FIRST SEEN", text: ({ first_seen_at }) => writtenTime(first_seen_at) },
      { name: "EVENTS", text: ({ events }) => String(events) },
      { name: "NEW", text: ({ new_groups }) => String(new_groups) },
      { name: "REGRESSED", text: ({ regressed_groups }) => String(regressed_groups) },
      { name: "RESOLVED", text: ({ resolved_groups }) => String(resolved_groups) },
      { name: "VERSION", text: ({ version }) => version },
    ]);
  },
};

const create: Command = {
  name: "release create",
  summary: "Make a release known before it is deployed, so that errors can be resolved in it",
  arguments: ["VERSION"],
  async run({ words: [version = ""], api, projectPath, json }) {
    const project = projectPath();
    // The only route that creates a release without a deploy is the one of Sentry's clients.
    await api().post(`/0${project.replace("/projects/", "/projects/signalbox/")}/releases/`, { version });
    const release = await api().get<Release>(`${project}/release`, { version });
    if (json) return writeJson(release);
    writeLine(oneLine(`Release ${version} exists.`));
  },
};

const deploy: Command = {
  name: "release deploy",
  summary: "Record a deploy of a release",
  arguments: ["VERSION"],
  options: {
    environment: {
      type: "string",
      short: "e",
      value: "NAME",
      help: "where it is deployed, such as production",
    },
    commit: {
      type: "string",
      value: "SHA",
      help: "the commit; what was pushed before it counts as released",
    },
    "build-url": { type: "string", value: "URL", help: "a page of the deploy, such as the CI job" },
    "deployed-at": { type: "string", value: "TIME", help: "an ISO 8601 time; now unless given" },
  },
  fields: { version: "VERSION", url: "--build-url" },
  async run({ words: [version = ""], api, text, projectPath, json }) {
    const environment = text("environment");
    const release = await api().post<Release>(`${projectPath()}/releases`, {
      version,
      environment,
      commit: text("commit"),
      url: text("build-url"),
      deployed_at: text("deployed-at"),
    });
    if (json) return writeJson(release);
    writeLine(
      oneLine(`Release ${version} is deployed${environment === undefined ? "" : ` to ${environment}`}.`),
    );
  },
};

export const releaseCommands = [list, create, deploy];
