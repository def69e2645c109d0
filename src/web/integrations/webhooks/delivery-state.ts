import type { Delivery } from "../../../shared/webhooks.ts";
import type { Tone } from "../../kit/badge.tsx";

const STATES: Record<Delivery["status"], { label: string; tone: Tone }> = {
  pending: { label: "Waiting", tone: "neutral" },
  succeeded: { label: "Succeeded", tone: "resolved" },
  failed: { label: "Failed", tone: "danger" },
};

/** The choices of the filter. */
export const DELIVERY_STATES = Object.entries(STATES).map(([value, { label }]) => ({ value, label }));

/** A delivery that is retried has failed at least once. */
export const stateOf = ({ status, attempts }: Delivery): { label: string; tone: Tone } =>
  status === "pending" && attempts.length > 0 ? { label: "Retrying", tone: "warn" } : STATES[status];
