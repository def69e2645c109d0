import { Badge } from "../kit/badge.tsx";
import type { CHECK_IN_LOOKS } from "./monitor-status.ts";

/** The status of a monitor or a check-in, by shape, word and color. */
export const StatusBadge = ({ look }: { look: (typeof CHECK_IN_LOOKS)["ok"] }) => (
  <Badge tone={look.tone} icon={look.icon}>
    {look.label}
  </Badge>
);
