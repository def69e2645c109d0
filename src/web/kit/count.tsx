import { compactCount, exactCount, unitOf } from "./count-text.ts";

/** A compact number with the exact one in its title. Unknown is "—", which is different from 0. */
export function Count({
  value,
  unit,
  className,
}: {
  value: number | null;
  /** In the plural. */
  unit?: string;
  className?: string;
}) {
  if (value === null)
    return (
      <span className={className} title="Unknown">
        <span aria-hidden>—</span>
        <span className="sr-only">unknown</span>
      </span>
    );
  const short = compactCount(value);
  const long = exactCount(value);
  const word = unit === undefined ? "" : ` ${unitOf(value, unit)}`;
  return (
    <span className={className} title={`${long}${word}`}>
      {short}
      {word !== "" && <span className="sr-only">{word}</span>}
    </span>
  );
}
