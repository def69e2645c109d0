import { OLD_BROWSERS } from "../../../shared/inbound-rules.ts";
import { browserOf } from "../../http/browser-of.ts";
import type { EventFacts } from "./event-facts.ts";

const EXTENSION = /^(?:(?:chrome|moz|ms-browser|safari|safari-web)-extension|chrome|webkit-masked-url):\/\//i;
const OF_EXTENSIONS = /^Extension context invalidated|can't access dead object|\b__gCrWeb\b|\bZiteReader\b/;

/** Matches errors of browser extensions, which run in the page's context and are reported like the page's own. */
export const isOfExtension = ({ file, message }: EventFacts): boolean =>
  (file !== null && EXTENSION.test(file)) || OF_EXTENSIONS.test(message);

const ALWAYS_OLD = /\bMSIE \d|\bTrident\/\d|\bOpera Mini\//;

export function isOfOldBrowser({ userAgent }: EventFacts): boolean {
  if (userAgent === null) return false;
  if (ALWAYS_OLD.test(userAgent)) return true;
  const { name, version } = browserOf(userAgent);
  const oldest = name === null ? undefined : OLD_BROWSERS[name];
  return oldest !== undefined && version !== null && Number.parseInt(version) < oldest;
}

// Cubot is a phone brand.
const CRAWLER =
  /(?<!cu)bot\b|crawl|spider|slurp|mediapartners-google|facebookexternalhit|google-read-aloud|chrome-lighthouse|ia_archiver/i;

export const isOfCrawler = ({ userAgent }: EventFacts): boolean =>
  userAgent !== null && CRAWLER.test(userAgent);

export const isOfLocalhost = ({ file, addresses }: EventFacts): boolean =>
  [...addresses, ...(file === null ? [] : [file])].some(isLocal);

const LOCAL_HOST = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])$/;

function isLocal(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return /^https?:$/.test(protocol) && LOCAL_HOST.test(hostname);
}
