/** What remains of an event that is not stored: its id, how it counts, and the rule that dropped it if one did. */
export type Unstored = {
  event_id: string | null;
  outcome: "filtered" | "discarded";
  droppedBy: number | undefined;
};
