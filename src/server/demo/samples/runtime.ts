import type { Random } from "./seeded-random.ts";

/** The exceptions and stack traces of a language and framework. */
export type Runtime = {
  runtime: { name: string; version: string };
  framework: { name: string; version: string } | undefined;
  /** The placeholders `{n}`, `{name}` and `{time}` in messages are replaced. */
  exceptions: [exception_class: string, message: string][];
  /** Makes a stack trace through these modules, innermost first. */
  trace: (exception_class: string, message: string, modules: string[], random: Random) => string;
};

const VERBS = [
  "load",
  "store",
  "apply",
  "resolve",
  "render",
  "book",
  "sync",
  "validate",
  "reserve",
  "notify",
];

export const verb = (random: Random) => random.pick(VERBS);
export const line = (random: Random) => random.integer(11, 480);
export const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
export const snake = (text: string) =>
  lower(text).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const kebab = (text: string) => snake(text).replaceAll("_", "-");
