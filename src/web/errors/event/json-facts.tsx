import { cx } from "../../kit/cx.ts";

type Props = {
  value: unknown;
  /** Whether short values share a line. */
  inLine?: boolean;
};

/** An object as names and values; nested values are shown as JSON. Anything else is shown as it is. */
export function JsonFacts({ value, inLine = false }: Props) {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return <p className="font-mono text-sm wrap-anywhere whitespace-pre-wrap">{textOf(value)}</p>;
  const facts = Object.entries(value).map(([name, one]): [string, string] => [name, textOf(one)]);
  const { list, pair, value: valueClass } = inLine && facts.every(([, text]) => isShort(text)) ? LINE : TABLE;
  return (
    <dl className={list}>
      {facts.map(([name, text]) => (
        <div key={name} className={pair}>
          <dt dir="auto" className="max-w-48 shrink-0 truncate text-text-3" title={name}>
            {name}
          </dt>
          <dd dir="auto" className={cx("min-w-0 font-mono wrap-anywhere", valueClass)}>
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const LINE = { list: "flex flex-wrap gap-x-4 gap-y-0.5 text-sm/5", pair: "flex min-w-0 gap-1.5", value: "" };
const TABLE = {
  list: "grid grid-cols-[minmax(88px,auto)_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-sm",
  pair: "contents",
  value: "whitespace-pre-wrap",
};

const MAX_SHORT_LENGTH = 72;
const isShort = (text: string) => text.length <= MAX_SHORT_LENGTH && !text.includes("\n");

/** Short values are on one line. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  // Only undefined and functions have no JSON, and no response contains them.
  const text = JSON.stringify(value);
  return isShort(text) ? text : JSON.stringify(value, null, 2);
}
