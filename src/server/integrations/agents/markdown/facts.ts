import { inlineText } from "../../../../shared/markdown/fenced.ts";

/** A name and its value; a value of null is unknown and left out. */
export type Fact = [name: string, value: string | number | null | undefined];

/** Facts as a list: "- Status: Open". */
export const factList = (facts: readonly Fact[]): string =>
  facts
    .flatMap(([name, value]) =>
      value === null || value === undefined || value === ""
        ? []
        : [`- ${name}: ${inlineText(String(value))}`],
    )
    .join("\n");

/** Null without values. */
export const joined = (values: readonly (string | number)[]): string | null =>
  values.length === 0 ? null : values.join(", ");
