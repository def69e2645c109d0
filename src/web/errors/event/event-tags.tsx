import type { ReactNode } from "react";
import type { GroupTags } from "../../../shared/kept-events.ts";

const MAX_SHOWN_VALUES = 4;

/** Each tag with its most frequent values among the kept events. Those of the shown event are set in bold. */
export function EventTags({ tags, own }: { tags: GroupTags; own: Record<string, string> }) {
  const known = new Set(tags.map(({ key }) => key));
  const others = Object.entries(own).filter(([key]) => !known.has(key));
  return (
    <table className="w-full border-separate border-spacing-0 overflow-hidden rounded-md border border-line bg-surface">
      <caption className="sr-only">Tags, with the share of each value among the kept events</caption>
      <tbody>
        {tags.map(({ key, values }) => (
          <Row key={key} name={key}>
            {shownValues(values, own[key]).map(({ value, share }) => (
              <span key={value} className="flex min-w-0 items-center gap-1.5">
                <span
                  dir="auto"
                  className={value === own[key] ? "truncate font-semibold" : "truncate text-text-2"}
                  title={value}
                >
                  {value}
                </span>
                <span className="text-sm text-text-3">{percent(share)}</span>
              </span>
            ))}
          </Row>
        ))}
        {others.map(([key, value]) => (
          <Row key={key} name={key}>
            <span dir="auto" className="min-w-0 truncate font-semibold" title={value}>
              {value}
            </span>
          </Row>
        ))}
      </tbody>
    </table>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <tr className="*:border-line not-last:*:border-b">
      <th
        scope="row"
        dir="auto"
        className="w-30 max-w-30 truncate px-3 sm:w-40 sm:max-w-40 py-1.5 text-start font-normal text-text-3"
      >
        {name}
      </th>
      <td className="px-3 py-1.5">
        <div className="flex min-w-0 flex-wrap gap-x-4 gap-y-1">{children}</div>
      </td>
    </tr>
  );
}

type Values = GroupTags[number]["values"];

/** The most frequent values, and that of the shown event. */
function shownValues(values: Values, own: string | undefined): Values {
  return values.filter(({ value }, index) => index < MAX_SHOWN_VALUES || value === own);
}

const percent = (share: number) => `${Math.max(1, Math.round(share * 100))}%`;
