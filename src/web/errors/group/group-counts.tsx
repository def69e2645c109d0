import { useState } from "react";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { Button } from "../../kit/button.tsx";
import { Count } from "../../kit/count.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { ReleaseLink } from "../../page/release-link.tsx";
import { countsNote } from "./facts.ts";
import { Section } from "./group-facts.tsx";

const FIRST_SHOWN = 8;

type Props = { group: ErrorGroup; project: Project };

/** The sum of the releases beyond the limit. */
const OTHERS = "other";

/** Events by release, newest first, and by host. */
export function GroupCounts({ group, project }: Props) {
  return (
    <>
      <Section title="Releases">
        <Releases group={group} project={project} />
      </Section>
      <Section title="Hosts">
        {group.hosts.length === 0 ? (
          <p className="text-text-3">No recent event includes a host.</p>
        ) : (
          <table className="w-full">
            <caption className="sr-only">Events by host</caption>
            <tbody>
              {group.hosts.map(({ name, count }) => (
                <tr key={name}>
                  <th scope="row" className="py-1 pe-2 text-start font-normal wrap-anywhere">
                    {name}
                  </th>
                  <td className="py-1 text-end align-top">
                    <Count value={count} unit="events" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {group.hosts.length === 10 && (
          <p className="mt-1 text-sm text-text-3">Only the ten hosts with the most events are shown.</p>
        )}
      </Section>
    </>
  );
}

function Releases({ group, project }: Props) {
  const [all, setAll] = useState(false);
  if (group.releases.length === 0) return <p className="text-text-3">No event includes a release.</p>;
  const newest = group.releases.toReversed();
  const shown = all ? newest : newest.slice(0, FIRST_SHOWN);
  const note = countsNote(group);
  return (
    <>
      <table className="w-full">
        <caption className="sr-only">Events by release</caption>
        <thead className="text-sm text-text-3">
          <tr>
            <th scope="col" className="pe-2 text-start font-normal">
              Release
            </th>
            <th scope="col" className="pe-2 text-end font-normal">
              Events
            </th>
            <th scope="col" className="pe-2 text-end font-normal">
              First
            </th>
            <th scope="col" className="text-end font-normal">
              Last
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((entry) => (
            <tr key={entry.release} className="align-top">
              <th scope="row" className="py-1 pe-2 text-start font-medium wrap-anywhere">
                {entry.release === OTHERS ? (
                  entry.release
                ) : (
                  <ReleaseLink project={project} version={entry.release}>
                    {entry.release.length > 60 ? `${entry.release.slice(0, 60)}…` : entry.release}
                  </ReleaseLink>
                )}
              </th>
              <td className="py-1 pe-2 text-end">
                <Count value={entry.occurrence_count} unit="events" />
              </td>
              <td className="py-1 pe-2 text-end text-sm/5 whitespace-nowrap text-text-2">
                <Time at={entry.first_seen_at} />
              </td>
              <td className="py-1 text-end text-sm/5 whitespace-nowrap text-text-2">
                <Time at={entry.last_seen_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {newest.length > shown.length && (
        <Button size="sm" variant="quiet" onClick={() => setAll(true)}>
          {`Show all ${newest.length} releases`}
        </Button>
      )}
      {note !== null && <p className="mt-1 text-sm text-text-3">{note}</p>}
    </>
  );
}
