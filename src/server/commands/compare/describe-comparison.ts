import {
  hasDifferences,
  type ComparedGroup,
  type ComparedRule,
  type Comparison,
  type GroupDifference,
} from "../../integrations/transfer/compare/comparison.ts";

/** The comparison as text, with a section for each kind of difference. */
export function describeComparison(comparison: Comparison): string {
  const { since, matched, only_there, only_here, different_counts, not_counted, missing_rules } = comparison;
  const sections = [
    section("Only there", only_there.map(describeGroup)),
    section("Only here", only_here.map(describeGroup)),
    section("Different counts", different_counts.map(describeDifference)),
    section("Not compared, because they have too many events there", not_counted.map(describeGroup)),
    section("Alert rules without a counterpart here", (missing_rules ?? []).map(describeRule)),
  ];
  return [
    `Since ${since} (UTC): ${countOf(matched)} on both sides.`,
    ...sections.flat(),
    ...(missing_rules === null
      ? ["The other server does not tell its alert rules. Compare them yourself."]
      : []),
    ...(hasDifferences(comparison) ? [] : ["Nothing differs."]),
  ].join("\n");
}

const countOf = (groups: number) => `${groups.toLocaleString("en")} ${groups === 1 ? "group" : "groups"}`;

const section = (title: string, lines: string[]): string[] =>
  lines.length === 0
    ? []
    : ["", `${title}: ${lines.length.toLocaleString("en")}`, ...lines.map((line) => `  ${line}`)];

const describeGroup = ({ title, count, url, id }: ComparedGroup): string =>
  `${title} (${count.toLocaleString("en")}, ${url ?? `id ${id}`})`;

function describeDifference({ there, here, count_there, count_here }: GroupDifference): string {
  const title = (there[0] ?? here[0])?.title ?? "";
  return `${title}: ${count_there.toLocaleString("en")} there, ${count_here.toLocaleString("en")} here`;
}

const describeRule = ({ name, kinds, environment, actions }: ComparedRule): string =>
  `${name === "" ? "(no name)" : name}: ${kinds.join(" or ")}, ${environment ?? "all environments"}, ${actions.join(", ")}`;
