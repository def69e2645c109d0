import { memo } from "react";
import type { AuditEvent } from "../../shared/audit.ts";
import { Disclosure } from "../kit/disclosure.tsx";
import { Time } from "../kit/dates/time.tsx";
import { sentenceOf, detailRows } from "./sentences.ts";

/** An event as a sentence; it expands to show all details. */
export const AuditRow = memo(function AuditRow({ event }: { event: AuditEvent }) {
  const { actor, details, ip, user_agent, created_at, kind } = event;
  return (
    <li className="px-4 py-1">
      <Disclosure
        title={
          <span className="font-normal">
            <span className="font-medium">{actor?.name ?? "Someone not signed in"}</span> {sentenceOf(event)}
          </span>
        }
        aside={<Time at={created_at} as="row" className="text-text-3 shrink-0 text-sm" />}
      >
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 pb-2 text-sm">
          <Detail name="Kind" value={kind} />
          {detailRows(details).map(({ name, value }) => (
            <Detail key={name} name={name} value={value} />
          ))}
          {ip !== null && <Detail name="IP address" value={ip} />}
          {user_agent !== null && <Detail name="User agent" value={user_agent} />}
        </dl>
      </Disclosure>
    </li>
  );
});

function Detail({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd className="min-w-0 break-words">{value}</dd>
    </>
  );
}
