import { Globe, Lock } from "lucide-react";
import { useId } from "react";
import { cx } from "../kit/cx.ts";

/** The author of a report from outside, who reads public comments on it. */
export type Reporter = { name: string; address: string | null };

type Props = { reporter: Reporter; isPublic: boolean; onChange: (isPublic: boolean) => void };

/** Chooses who reads a comment: the team, or the author of the report as well. Says what that means. */
export function AudienceChoice({ reporter, isPublic, onChange }: Props) {
  const name = useId();
  const choices = [
    { value: false, label: "Internal", icon: Lock },
    { value: true, label: "Public", icon: Globe },
  ];
  return (
    <fieldset className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <legend className="sr-only">Who can read it</legend>
      <span className="flex shrink-0 rounded-md border border-line bg-surface p-0.5">
        {choices.map(({ value, label, icon: Icon }) => (
          <label
            key={label}
            className={cx(
              "flex h-7 cursor-pointer items-center gap-1.5 rounded-sm px-2.5 text-sm font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-10",
              value !== isPublic
                ? "text-text-2 hover:bg-hover"
                : value
                  ? "bg-warn-tint text-warn"
                  : "bg-selected text-text",
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={value === isPublic}
              onChange={() => onChange(value)}
            />
            <Icon aria-hidden size={14} />
            {label}
          </label>
        ))}
      </span>
      <span className={cx("min-w-0 flex-[1_1_12rem] text-sm", isPublic ? "text-warn" : "text-text-3")}>
        {isPublic ? whoReads(reporter) : "Only people in the project can read it."}
      </span>
    </fieldset>
  );
}

export const whoReads = ({ name, address }: Reporter): string =>
  address === null
    ? `${name} can read it on the status page.`
    : `${name} can read it on the status page, and gets it by email once the address is confirmed.`;
