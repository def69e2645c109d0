/** A clock that only moves with `advance`, which runs due timers in order. */
export function testClock() {
  let time = 0;
  const timers = new Set<{ at: number; run: () => void }>();

  const timer = (ms: number, run: () => void) => {
    const entry = { at: time + ms, run };
    timers.add(entry);
    return () => void timers.delete(entry);
  };

  return {
    now: () => time,
    timer,
    deadline: timer,
    /** Makes a backoff exactly its nominal length, because the jitter factor becomes 1. */
    random: () => 0.5,
    advance(ms: number): void {
      const until = time + ms;
      for (;;) {
        const due = [...timers].filter((entry) => entry.at <= until).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        time = Math.max(time, due.at);
        timers.delete(due);
        due.run();
      }
      time = until;
    },
  };
}
