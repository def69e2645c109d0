/** What a delivery contains, as far as chat messages use it. `data` is what the object's GET route returns. */
export type EventBody = {
  type: string;
  /** Null for a test of a workspace's webhook. */
  project?: { id: number; key: string } | null;
  actor?: { username: string; first_name: string; last_name: string } | null;
  data: object;
};
