import { useQuery } from "@tanstack/react-query";
import { stormQuery } from "../data/storm.ts";
import { Time } from "../kit/time.tsx";

/** Says since when the project has sent more events than could be stored, if that was within the last 24 hours. */
export function StormNotice({ projectId, className }: { projectId: number; className: string }) {
  const { data: storm } = useQuery(stormQuery(projectId));
  if (!storm) return null;
  return (
    <p className={`bg-warn-tint text-warn ${className}`}>
      More events arrived than could be stored, from <Time at={storm.started_at} as="full" /> to{" "}
      <Time at={storm.last_at} as="full" />. Some were counted but not kept in full, or were rejected and may
      be sent again.
    </p>
  );
}
