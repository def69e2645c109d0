import { compactCount, exactCount } from "./count-text.ts";

/** A compact number with the exact one in its title. Unknown is "—", which is different from 0. */
export function Count({
  value,
  unit,
  className,
}: {
  value: number | null;
  unit?: string;
  className?: string;
}) {
  if (value === null)
    return (
      <span className={className} title="Not known">
        <span aria-hidden>—</span>
        <span className="sr-only">not known</span>
      </span>
    );
  const short = compactCount(value);
  const long = exactCount(value);
  const title = unit === undefined ? long : `${long} ${unit}`;
  return (
    <span className={className} title={title}>
      {short}
      {unit !== undefined && <span className="sr-only"> {unit}</span>}
    </span>
  );
}
