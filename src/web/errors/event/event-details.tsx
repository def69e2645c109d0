import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { KeptEvent } from "../../../shared/kept-events.ts";
import type { Project } from "../../../shared/projects.ts";
import { groupTagsQuery } from "../../data/errors/kept-events.ts";
import { Disclosure } from "../../kit/disclosure.tsx";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { EventTags } from "./event-tags.tsx";
import { JsonFacts } from "./json-facts.tsx";

type Props = { event: KeptEvent; group: ErrorGroup; project: Project };

/** Everything that was sent with an event besides its trace, and what was removed from it. */
export function EventDetails({ event, group, project }: Props) {
  const { data: tags = [] } = useQuery(groupTagsQuery(project.id, group.id));
  const { request } = event;
  const contexts = Object.entries(event.contexts);
  const removed = Object.entries(event.removed).map(([rule, count]) => `${rule} (${count})`);
  return (
    <>
      {event.breadcrumbs.length > 0 && (
        <Part id="breadcrumbs" title="Breadcrumbs">
          <Breadcrumbs breadcrumbs={event.breadcrumbs} />
        </Part>
      )}
      {(tags.length > 0 || Object.keys(event.tags).length > 0) && (
        <Part id="tags" title="Tags">
          <EventTags tags={tags} own={event.tags} />
        </Part>
      )}
      {request !== null && (
        <Part id="request" title="Request">
          <Panel>
            <p className="pb-1 font-mono text-sm wrap-anywhere">
              {[request.method, request.path].filter((part) => part !== null).join(" ") || "No URL"}
            </p>
            <JsonFacts value={request.headers} />
          </Panel>
        </Part>
      )}
      {contexts.length > 0 && (
        <Part id="contexts" title="Contexts">
          <Contexts contexts={contexts} />
        </Part>
      )}
      {Object.keys(event.extra).length > 0 && (
        <Part id="extra" title="Extra">
          <Panel>
            <JsonFacts value={event.extra} />
          </Panel>
        </Part>
      )}
      {(removed.length > 0 || event.truncated.length > 0) && (
        <p className="text-sm text-text-3">
          {removed.length > 0 && `Personal data removed on arrival: ${removed.join(", ")}. `}
          {event.truncated.length > 0 && `Shortened: ${event.truncated.join(", ")}.`}
        </p>
      )}
    </>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

const Panel = ({ children }: { children: ReactNode }) => (
  <div className="rounded-md border border-line bg-surface px-3 py-2">{children}</div>
);

const MAX_OPEN_LENGTH = 1_000;

/** A row for each context. */
function Contexts({ contexts }: { contexts: [string, unknown][] }) {
  return (
    <dl className="divide-y divide-line rounded-md border border-line bg-surface">
      {contexts.map(([name, value]) => (
        <div
          key={name}
          className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 px-3 py-1.5 sm:grid-cols-[9rem_minmax(0,1fr)]"
        >
          <dt dir="auto" className="truncate text-text-3" title={name}>
            {name}
          </dt>
          <dd className="min-w-0">
            {JSON.stringify(value).length <= MAX_OPEN_LENGTH ? (
              <JsonFacts inLine value={value} />
            ) : (
              <Disclosure title="Show">
                <JsonFacts value={value} />
              </Disclosure>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
