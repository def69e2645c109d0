/** A clock that stands still until `advance`; the timers that fall due run in their order. */
export function testClock() {
  let time = 0;
  const timers = new Set<{ at: number; run: () => void }>();

  const timer = (ms: number, run: () => void) => {
    const one = { at: time + ms, run };
    timers.add(one);
    return () => void timers.delete(one);
  };

  return {
    now: () => time,
    timer,
    deadline: timer,
    /** Half: a backoff is then exactly its nominal length. */
    random: () => 0.5,
    advance(ms: number): void {
      const until = time + ms;
      for (;;) {
        const due = [...timers].filter((one) => one.at <= until).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        time = Math.max(time, due.at);
        timers.delete(due);
        due.run();
      }
      time = until;
    },
  };
}
