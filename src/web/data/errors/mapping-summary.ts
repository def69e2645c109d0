import type { KeptFrame } from "../../../shared/kept-events.ts";
import type { Unmapped } from "../../../shared/source-maps.ts";
import { isLikelyMinified, isOfWebPage } from "../../../shared/stack-trace/likely-minified.ts";
import { countOf } from "../../kit/count-text.ts";

/**
 * Why frames have no original code, in one sentence with the most frequent reason; null if none is missing. Frames without
 * code, although their place is known, count only if all places are known.
 */
export function summarizeMapping(frames: readonly KeptFrame[]): string | null {
  const minified = frames.filter((frame) => frame.original !== undefined || isUnmapped(frame));
  const total = minified.length;
  const unmapped = minified.filter(({ original }) => original === undefined);
  if (unmapped.length > 0) return `${couldNotBeMapped(unmapped.length, total)}: ${commonMessage(unmapped)}`;
  const withoutCode = minified.filter(isUnmapped);
  if (withoutCode.length === 0) return null;
  const verb = withoutCode.length === 1 ? "has" : "have";
  return `${withoutCode.length} of ${countOf(total, "frame")} ${verb} no source text: ${commonMessage(withoutCode)}`;
}

/** Whether an error of a web page would show original code if the project had its source maps. */
export const lacksSourceMaps = (frames: readonly KeptFrame[]): boolean =>
  frames.some((frame) => isUnmapped(frame) && isOfWebPage(frame)) &&
  frames.every(({ original }) => original === undefined);

/** The reason to show for a frame. */
export const reasonOf = (frame: KeptFrame): Unmapped | undefined =>
  isUnmapped(frame) ? frame.unmapped : undefined;

/** The nearest name unless the message mentions it. */
export const reasonText = ({ message, nearest }: Unmapped): string =>
  nearest === undefined || message.includes(nearest) ? message : `${message} The nearest name is ${nearest}.`;

/** Code that is not likely to be minified needs no map unless other files of the release have one. */
const isUnmapped = (frame: KeptFrame): boolean =>
  frame.unmapped !== undefined && (!WITHOUT_MAPS.has(frame.unmapped.reason) || isLikelyMinified(frame));

const WITHOUT_MAPS: ReadonlySet<Unmapped["reason"]> = new Set(["no_release", "no_map_for_release"]);

function couldNotBeMapped(count: number, total: number): string {
  if (count < total) return `${count} of ${total} frames could not be mapped`;
  return total === 1 ? "The frame could not be mapped" : `None of the ${total} frames could be mapped`;
}

function commonMessage(frames: readonly KeptFrame[]): string {
  const reasons = frames.flatMap(({ unmapped }) => (unmapped ? [unmapped] : []));
  const byReason = [...Map.groupBy(reasons, ({ reason }) => reason).values()];
  const [common] = byReason.toSorted((a, b) => b.length - a.length);
  return common?.[0] ? reasonText(common[0]) : "";
}
