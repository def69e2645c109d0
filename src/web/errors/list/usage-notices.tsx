import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Storm, UsageDay } from "../../../shared/usage.ts";
import { usageTodayQuery } from "../../data/errors/usage-today.ts";
import { byteText } from "../../kit/byte-text.ts";
import { countOf } from "../../kit/count-text.ts";
import { Time } from "../../kit/dates/time.tsx";

type Props = { projectId: number; className: string };

/**
 * Says since when the project has sent more events than could be stored, if that was within the last 24 hours, and whether
 * events of today were counted without their details.
 */
export function UsageNotices({ projectId, className }: Props) {
  const { data: usage } = useQuery(usageTodayQuery(projectId));
  if (!usage) return null;
  const { storm, storage_quota, data } = usage;
  const today = data.at(-1);
  return (
    <>
      {storm && <Notice className={className}>{describeStorm(storm)}</Notice>}
      {today && (today.trimmed > 0 || today.stored_bytes >= storage_quota) && (
        <Notice className={className}>{describeTrimmed(today, storage_quota)}</Notice>
      )}
    </>
  );
}

const Notice = ({ className, children }: { className: string; children: ReactNode }) => (
  <p className={`bg-warn-tint text-warn ${className}`}>{children}</p>
);

const describeStorm = ({ started_at, last_at }: Storm) => (
  <>
    More events arrived than could be stored, from <Time at={started_at} as="full" /> to{" "}
    <Time at={last_at} as="full" />. Some were counted but not kept in full, or were rejected and may be sent
    again.
  </>
);

const describeTrimmed = ({ trimmed, stored_bytes }: UsageDay, quota: number) =>
  stored_bytes >= quota
    ? `Today’s events and feedback have used up ${byteText(quota)} of storage. Until midnight UTC, further events are counted without their details (${countOf(trimmed, "event")} so far), and feedback arrives without images.`
    : `${countOf(trimmed, "event")} of today ${trimmed === 1 ? "was" : "were"} counted without details, because a client created too many errors at once.`;
