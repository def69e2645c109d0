/** An object as names and values; nested values are shown as JSON. Anything else is shown as it is. */
export function JsonFacts({ value }: { value: unknown }) {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return <p className="font-mono text-sm wrap-anywhere whitespace-pre-wrap">{textOf(value)}</p>;
  return (
    <dl className="grid grid-cols-[minmax(88px,auto)_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-sm">
      {Object.entries(value).map(([name, one]) => (
        <div key={name} className="contents">
          <dt dir="auto" className="max-w-48 truncate text-text-3" title={name}>
            {name}
          </dt>
          <dd dir="auto" className="min-w-0 font-mono wrap-anywhere whitespace-pre-wrap">
            {textOf(one)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));
