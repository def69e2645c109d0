import { readFileSync } from "node:fs";
import type { Label } from "../../../src/shared/labels.ts";
import type { Lane } from "../../../src/shared/lanes.ts";
import type { Profile } from "../../../src/shared/people.ts";
import type { ProjectPerson } from "../../../src/shared/projects.ts";
import { readStdin } from "../ask.ts";
import { requireProject, type Context } from "../context.ts";
import { wrongUsage } from "../failure.ts";
import { findNamed } from "../find-named.ts";

/** The paths of an issue and its project, by the issue's key or by its number in the chosen project. */
export function issuePaths({ words: [text = ""], knownProject }: Context): {
  issue: string;
  project: string;
} {
  const key = /^[0-9]{1,15}$/.test(text) ? `${requireProject(knownProject())}-${text}` : text.toUpperCase();
  const [, project] = /^([A-Z][A-Z0-9]{1,9})-[0-9]{1,15}$/.exec(key) ?? [];
  if (project === undefined) throw wrongUsage("KEY must be the key of an issue, such as WEB-12.");
  return { issue: `/projects/${project}/issues/${key}`, project: `/projects/${project}` };
}

/** A lane by its name, or by its kind, such as done. */
export async function findLane({ api }: Context, project: string, name: string): Promise<Lane> {
  return findNamed<Lane>(api(), `${project}/lanes`, {
    what: "lane",
    name,
    namesOf: (lane) => [lane.name, lane.kind],
  });
}

export async function findAssigneeId({ api }: Context, project: string, name: string): Promise<number> {
  if (name === "me") return (await api().get<Profile>("/profile")).id;
  const person = await findNamed<ProjectPerson>(api(), `${project}/people`, {
    what: "user",
    name,
    namesOf: ({ username }) => [username],
  });
  return person.user_id;
}

export async function findLabelIds({ api }: Context, project: string, names: string[]): Promise<number[]> {
  const ids = new Set<number>();
  for (const name of names)
    ids.add(
      (
        await findNamed<Label>(api(), `${project}/labels`, {
          what: "label",
          name,
          namesOf: (label) => [label.name],
        })
      ).id,
    );
  return [...ids];
}

/** The text of an option, or of the file that another option names; - is stdin. */
export async function readDescription({ text }: Context): Promise<string | undefined> {
  const file = text("description-file");
  if (file === undefined) return text("description");
  if (text("description") !== undefined) throw wrongUsage("Give either --description or --description-file.");
  if (file === "-") return readStdin();
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw wrongUsage(`--description-file: ${file} cannot be read.`);
  }
}
