import { readConfig, readFolderProject } from "./config-file.ts";
import { EXIT, Failure, wrongUsage } from "./failure.ts";

export type Server = { url: string; token: string };

type Given = { url?: string | undefined; token?: string | undefined; project?: string | undefined };

/** The server and its token: options before the environment before what `login` has stored. */
export function findServer(given: Given): Server {
  const stored = readConfig();
  const url = findUrl(given);
  if (url === undefined)
    throw new Failure(
      EXIT.signedOut,
      "You are not signed in. Run sbx login, or set SIGNALBOX_URL and SIGNALBOX_TOKEN.",
    );
  // A stored token is only for the server that it was stored for.
  const token = given.token || process.env["SIGNALBOX_TOKEN"] || (url === stored.url && stored.token);
  if (!token)
    throw new Failure(
      EXIT.signedOut,
      `There is no token for ${url}. Run sbx login ${url}, or set SIGNALBOX_TOKEN.`,
    );
  return { url, token: validToken(token) };
}

export function findUrl({ url }: Given): string | undefined {
  if (url) return validUrl(url, "--url");
  const fromEnvironment = process.env["SIGNALBOX_URL"];
  if (fromEnvironment) return validUrl(fromEnvironment, "SIGNALBOX_URL");
  return readConfig().url;
}

/** The key of the project: option, environment, .sbx.json, and what `use` has stored. */
export function findProject(given: Given): string | undefined {
  const key =
    given.project || process.env["SIGNALBOX_PROJECT"] || readFolderProject() || storedProject(given);
  if (key !== undefined && !/^[A-Z][A-Z0-9]{1,9}$/.test(key))
    throw wrongUsage(
      "The project must be a key such as WEB. Check --project, SIGNALBOX_PROJECT and .sbx.json.",
    );
  return key;
}

/** Projects of one server mean nothing to another. */
function storedProject(given: Given): string | undefined {
  const { url, project } = readConfig();
  return url === findUrl(given) ? project : undefined;
}

/** @param name what to name in the error */
export function validUrl(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    throw wrongUsage(`${name} must be an address such as https://signalbox.example.com.`);
  if (url.username || url.password || url.search || url.hash)
    throw wrongUsage(`${name} must be an address without a user, a query and a fragment.`);
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

/** Refuses what cannot be in a header, without repeating it. */
export function validToken(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text))
    throw wrongUsage("The token must not contain spaces or control characters.");
  return text;
}
