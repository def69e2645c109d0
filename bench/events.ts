export type BenchEvent = { body: string; group: number };

export const RELEASES = ["2.4.0", "2.4.1", "2.5.0"];
const HOSTS = 8;
const USERS = 5_000;

/** Realistic events with PHP traces, of about `bytes` each, distributed over `groups` groups. */
export function makeEvents(count: number, groups: number, bytes: number): BenchEvent[] {
  const nextGroup = zipf(groups);
  return Array.from({ length: count }, (_, n) => {
    const group = nextGroup();
    return { group, body: JSON.stringify(event(group, n, bytes)) };
  });
}

/** The same, but each event belongs to a group of its own, as after a deploy whose traces vary. */
export function makeNewGroups(count: number, bytes: number): BenchEvent[] {
  return Array.from({ length: count }, (_, n) => ({ group: n, body: JSON.stringify(event(n, n, bytes)) }));
}

function event(group: number, n: number, bytes: number) {
  const frame = (line: number) =>
    `#${line} /var/www/app/releases/20261120/vendor/acme/framework/src/Service${group}/Handler${line}.php(${line * 7}): Acme\\Service${group}\\Handler${line}->handle(Object(Request))`;
  const frames: string[] = [];
  for (let length = 900, line = 0; length < bytes; line++) {
    const text = frame(line);
    length += text.length + 3;
    frames.push(text);
  }
  return {
    environment: "production",
    exception_class: `Acme\\Service${group}\\Failure`,
    message: `Request ${n} to service ${group} failed after ${n % 900} ms`,
    stack_trace: frames.join("\n"),
    release: RELEASES[n % RELEASES.length],
    previous_exceptions: [
      { exception_class: "PDOException", message: "gone away", stack_trace: frames[0] ?? "" },
    ],
    exception_code: String(n % 50),
    runtime: { name: "php", version: "8.4.1" },
    framework: { name: "laravel", version: "12.1.0" },
    memory_peak_bytes: 20_000_000 + n,
    memory_limit_bytes: 134_217_728,
    context: { kind: "route", method: "POST", pattern: `/service/${group}/{id}`, response_status: 500 },
    host: `web-${n % HOSTS}`,
    user_hash: ((n * 2_654_435_761) % USERS).toString(16).padStart(64, "0"),
  };
}

/** Zipf-distributed group numbers; group 0 is the most frequent. Deterministic, so that runs are comparable. */
function zipf(groups: number): () => number {
  const weights = Array.from({ length: groups }, (_, rank) => 1 / (rank + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const cumulative: number[] = [];
  let sum = 0;
  for (const weight of weights) cumulative.push((sum += weight / total));
  let seed = 42;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const fraction = seed / 2_147_483_648;
    const rank = cumulative.findIndex((edge) => fraction < edge);
    return rank === -1 ? groups - 1 : rank;
  };
}
