import type { ReleaseComparison } from "../../shared/release-health.ts";
import { countOf } from "../kit/count-text.ts";

/** Fewer sessions than these say little about a release. */
const MIN_COMPARED_SESSIONS = 200;

type Verdict = { text: string; tone: "better" | "worse" | "neutral" };

/** `0.99236` → "99.23%". Rounded down, so that only a release without crashes is "100%" crash-free. */
export const crashFreeText = (rate: number): string => `${Math.floor(rate * 10_000 + 1e-6) / 100}%`;

/** `0.824` → "82%"; a small share is "<1%". */
export function shareText(share: number): string {
  return share > 0 && share < 0.01 ? "<1%" : `${Math.round(share * 100)}%`;
}

/** Compares a release with the one before, in the hours that both have: with one decimal, which is what the sentence shows. */
export function verdictOf({ hours, sessions, crash_free_sessions, before }: ReleaseComparison): Verdict {
  const counted = countOf(sessions, "session");
  if (sessions < MIN_COMPARED_SESSIONS)
    return neutral(`Too early to say: ${counted} of the ${MIN_COMPARED_SESSIONS} that a comparison needs.`);
  const [now, was] = [tenths(crash_free_sessions), before && tenths(before.crash_free_sessions)];
  const start = `${percent(now)} crash-free`;
  const alone = `${start} in the first ${hours === 1 ? "hour" : `${hours} hours`} (${counted}).`;
  if (before === null || was === null) return neutral(`${alone} No older release to compare with.`);
  if (before.sessions < MIN_COMPARED_SESSIONS)
    return neutral(`${alone} ${before.version} had too few sessions to compare with.`);
  const tone = now < was ? "worse" : now > was ? "better" : "neutral";
  const word = tone === "neutral" ? "about the same" : tone;
  return { text: `${start}, ${percent(was)} before: ${word} (${counted})`, tone };
}

const neutral = (text: string): Verdict => ({ text, tone: "neutral" });

/** In tenths of a percent, rounded down. */
const tenths = (rate: number) => Math.floor(rate * 1_000 + 1e-6);

const percent = (rate: number) => `${rate / 10}%`;
