import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ErrorGroup } from "../../shared/error-groups.ts";
import type { KeptEvent } from "../../shared/kept-events.ts";
import type { Project } from "../../shared/projects.ts";
import { groupTagsQuery } from "../data/kept-events.ts";
import { Disclosure } from "../kit/disclosure.tsx";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { EventTags } from "./event-tags.tsx";
import { JsonFacts } from "./json-facts.tsx";

type Props = { event: KeptEvent; group: ErrorGroup; project: Project };

/** What an event brought along besides its trace, and what was removed from it. */
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
          <p className="font-mono text-sm wrap-anywhere">
            {[request.method, request.path].filter((part) => part !== null).join(" ") || "No address"}
          </p>
          <JsonFacts value={request.headers} />
        </Part>
      )}
      {contexts.length > 0 && (
        <Part id="contexts" title="Contexts">
          {contexts.map(([name, value]) => (
            <Disclosure key={name} defaultOpen={contexts.length <= 3} title={<span dir="auto">{name}</span>}>
              <JsonFacts value={value} />
            </Disclosure>
          ))}
        </Part>
      )}
      {Object.keys(event.extra).length > 0 && (
        <Part id="extra" title="Extra">
          <JsonFacts value={event.extra} />
        </Part>
      )}
      {(removed.length > 0 || event.truncated.length > 0) && (
        <p className="text-sm text-text-3">
          {removed.length > 0 && `Personal data removed on arrival: ${removed.join(", ")}. `}
          {event.truncated.length > 0 && `Cut to the limit of 128 KiB: ${event.truncated.join(", ")}.`}
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
