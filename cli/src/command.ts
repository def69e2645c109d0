import type { Context } from "./context.ts";

export type OptionSpec = {
  type: "string" | "boolean";
  /** What the help shows for the value: "VERSION". */
  value?: string;
  help: string;
  short?: string;
  /** The option may be given several times. */
  multiple?: boolean;
  /** The only values, which shells complete. */
  choices?: readonly string[];
};

export type Options = Record<string, OptionSpec>;

export type Command = {
  /** One word or two: "errors", "issue create". */
  name: string;
  summary: string;
  /** Names of the arguments: "KEY", "[TEXT]" if optional, "COMMAND…" for any number, but at least one. */
  arguments?: string[];
  options?: Options;
  /** Invalid fields of the API, by the name of the argument or option that sets them, such as `{ in: "--release" }`, which includes `in.release`. */
  fields?: Record<string, string>;
  /** Returns an exit code other than 0, if any. */
  run(context: Context): Promise<number | void> | number | void;
};

/** Options of every command. */
export const GLOBAL_OPTIONS = {
  project: { type: "string", short: "p", value: "KEY", help: "the project, such as WEB" },
  json: { type: "boolean", help: "print the API's objects as one JSON document" },
  url: { type: "string", value: "URL", help: "the address of the server" },
  token: { type: "string", value: "TOKEN", help: "the token; SIGNALBOX_TOKEN is not visible to other users" },
  help: { type: "boolean", short: "h", help: "show the help of the command" },
} as const satisfies Options;

/** The option of lists. */
export const LIMIT: Options = {
  limit: { type: "string", value: "N", help: "how many to list, or all; 50 unless given" },
};
