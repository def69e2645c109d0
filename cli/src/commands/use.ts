import { writeFileSync } from "node:fs";
import type { Project } from "../../../src/shared/projects.ts";
import type { Command } from "../command.ts";
import { FOLDER_FILE, readConfig, writeConfig } from "../config-file.ts";
import { oneLine } from "../terminal-text.ts";
import { writeJson, writeLine, writeTable } from "../output.ts";
import { wrongUsage } from "../failure.ts";

export const use: Command = {
  name: "use",
  summary: "Choose the project of the following commands, or list the projects",
  arguments: ["[KEY]"],
  options: { here: { type: "boolean", help: `write it to ${FOLDER_FILE}, for this folder and those in it` } },
  async run({ words: [key], api, flag, knownProject, json }) {
    if (key === undefined) {
      const { rows } = await api().list<Project>("/projects", {}, Infinity);
      if (json) return writeJson(rows);
      const chosen = knownProject();
      return writeTable(rows, [
        {
          name: "KEY",
          text: (project) => project.key,
          color: (project) => (project.key === chosen ? "green" : undefined),
        },
        { name: "NAME", text: ({ name }) => name },
      ]);
    }
    const project = await api().get<Project>(`/projects/${encodeURIComponent(key)}`);
    if (flag("here"))
      writeFileSync(FOLDER_FILE, `${JSON.stringify({ project: project.key }, undefined, 2)}\n`);
    else storeProject(api().server.url, project.key);
    if (json) return writeJson(project);
    const where = flag("here") ? " in this folder" : "";
    writeLine(oneLine(`The project is now ${project.key} (${project.name})${where}.`));
  },
};

/** Belongs to the server that `login` has stored. */
function storeProject(url: string, key: string) {
  const stored = readConfig();
  if (stored.url !== undefined && stored.url !== url)
    throw wrongUsage(`You are signed in to ${stored.url}. Set SIGNALBOX_PROJECT for another server.`);
  writeConfig({ ...stored, url, project: key });
}
