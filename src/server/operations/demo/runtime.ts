import type { Random } from "./random.ts";

/** A program's way of failing: how its classes are called and its stack traces look. */
export type Runtime = {
  runtime: { name: string; version: string };
  framework: { name: string; version: string } | undefined;
  /** Class and message; `{n}`, `{name}` and `{time}` are filled in. */
  exceptions: [exception_class: string, message: string][];
  /** A trace through these modules, innermost first; the same random numbers give the same trace. */
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
