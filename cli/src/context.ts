import { openApi, type Api } from "./api.ts";
import { wrongUsage } from "./failure.ts";
import { findProject, findServer } from "./settings.ts";

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** The arguments and options of a command, and what follows from them. */
export type Context = ReturnType<typeof makeContext>;

export function makeContext(words: string[], values: Values) {
  /** The value of an option. An empty one, such as that of an unset variable, is refused. */
  function text(name: string): string | undefined {
    const value = values[name];
    if (value === "") throw wrongUsage(`--${name} must not be empty.`);
    return typeof value === "string" ? value : undefined;
  }

  function texts(name: string): string[] {
    const value = values[name];
    return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
  }

  function required(name: string): string {
    const value = text(name);
    if (value === undefined) throw wrongUsage(`--${name} is required.`);
    return value;
  }

  /** The value of an option that has only these values. */
  function choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = text(name);
    const known = choices.find((each) => each === value);
    if (value !== undefined && known === undefined)
      throw wrongUsage(`--${name} must be one of ${choices.join(", ")}.`);
    return known;
  }

  function limit(): number {
    const value = text("limit") ?? "50";
    if (value === "all") return Infinity;
    if (!/^[1-9][0-9]{0,6}$/.test(value)) throw wrongUsage("--limit must be a whole number from 1, or all.");
    return Number(value);
  }

  const given = () => ({ url: text("url"), token: text("token"), project: text("project") });
  let api: Api | undefined;
  const knownProject = () => findProject(given());

  return {
    words,
    flag: (name: string) => values[name] === true,
    text,
    texts,
    required,
    choice,
    limit,
    given,
    json: values["json"] === true,
    api: () => (api ??= openApi(findServer(given()))),
    /** The key of the project, if there is one. */
    knownProject,
    /** The path of the project, which has to be known. */
    projectPath: () => `/projects/${requireProject(knownProject())}`,
  };
}

export function requireProject(key: string | undefined): string {
  if (key === undefined)
    throw wrongUsage("Which project? Give --project KEY, or choose one with sbx use KEY.");
  return key;
}
