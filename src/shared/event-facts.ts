import { z } from "zod";
import { count } from "./answers.ts";

/**
 * Optional facts of an event that only the detail of its group shows, as of the latest event. A fact is a field of the same name
 * in the event, in the group and in `error_group_details`. A `name` has at most 255 characters, `bytes` are a number.
 */
export const EVENT_FACTS = {
  exception_code: "name",
  memory_peak_bytes: "bytes",
  memory_limit_bytes: "bytes",
} as const satisfies Record<string, "name" | "bytes">;

type Facts = typeof EVENT_FACTS;
export type FactName = keyof Facts;
export type FactKind = Facts[FactName];

export const EVENT_FACT_ENTRIES = Object.entries(EVENT_FACTS) as [FactName, FactKind][];

/** Null means not sent. */
export type EventFacts = { [Name in FactName]: Facts[Name] extends "name" ? string | null : number | null };

/** An object with a value for each fact, made from its kind and name. */
/* @__NO_SIDE_EFFECTS__ */
export const mapFacts = <ByKind extends Record<FactKind, unknown>>(
  valueOf: (kind: FactKind, name: FactName) => ByKind[FactKind],
) =>
  Object.fromEntries(EVENT_FACT_ENTRIES.map(([name, kind]) => [name, valueOf(kind, name)])) as {
    [Name in FactName]: ByKind[Facts[Name]];
  };

const answers = { name: z.string().nullable(), bytes: count.nullable() };

/** The fields of a group. */
export const factAnswers = mapFacts<typeof answers>((kind) => answers[kind]);

/** For the API reference. */
export const factExamples: EventFacts = {
  exception_code: "E_COUPON",
  memory_peak_bytes: 18_874_368,
  memory_limit_bytes: 134_217_728,
};
