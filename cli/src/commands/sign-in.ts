import type { Profile } from "../../../src/shared/people.ts";
import { openApi, type Api } from "../api.ts";
import { ask, askSecret } from "../ask.ts";
import type { Command } from "../command.ts";
import { configFile, deleteConfig, readConfig, writeConfig } from "../config-file.ts";
import { Failure, EXIT, Refusal, wrongUsage } from "../failure.ts";
import { writeFields, writeJson, writeLine } from "../output.ts";
import { oneLine } from "../terminal-text.ts";
import { findUrl, validToken, validUrl } from "../settings.ts";

const login: Command = {
  name: "login",
  summary: "Check a token and store it for the following commands",
  arguments: ["[URL]"],
  async run({ words, given, json }) {
    const url =
      words[0] === undefined ? (findUrl(given()) ?? (await askForUrl())) : validUrl(words[0], "URL");
    const token = given().token ?? (process.env["SIGNALBOX_TOKEN"] || (await askForToken(url)));
    const who = await readWho(openApi({ url, token: validToken(token) }));
    const stored = readConfig();
    writeConfig({ url, token, ...(stored.url === url && stored.project && { project: stored.project }) });
    if (json) return writeJson(who);
    writeLine(oneLine(`Signed in to ${url} ${describe(who)}. The token is stored in ${configFile()}.`));
  },
};

const logout: Command = {
  name: "logout",
  summary: "Delete the stored token",
  run({ json }) {
    const { url } = readConfig();
    deleteConfig();
    if (json) return writeJson({ url: url ?? null });
    if (url === undefined) return writeLine("You were not signed in.");
    writeLine(`Signed out of ${url}. The token is still valid: revoke it at ${url}/settings/profile.`);
  },
};

const whoami: Command = {
  name: "whoami",
  summary: "Show the server, the user and the project",
  async run({ api, knownProject, json }) {
    const who = await readWho(api());
    if (json) return writeJson(who);
    writeFields([
      ["server", api().server.url],
      ["user", isProfile(who) ? `${nameOf(who)} (${who.username})` : "a project token"],
      ["project", knownProject()],
    ]);
  },
};

export const signInCommands = [login, logout, whoami];

const askForUrl = async () =>
  validUrl(await ask("Address of the server: ", "URL is missing. See sbx help login."), "The address");

async function askForToken(url: string): Promise<string> {
  const token = await askSecret(`Token (create one at ${url}/settings/profile): `);
  if (token === "")
    throw wrongUsage("The token is missing. Type it, pipe it to sbx login, or set SIGNALBOX_TOKEN.");
  return token;
}

/** A project token has no profile. */
type Who = Profile | { project_token: true };

const isProfile = (who: Who): who is Profile => "username" in who;

/** Fails if the token is not valid. */
async function readWho(api: Api): Promise<Who> {
  try {
    return await api.get<Profile>("/profile");
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 403) throw error;
    // Project tokens read the errors of their project.
    await api.get("/error-groups", { limit: 1 }).catch((refusal: unknown) => {
      throw refusal instanceof Refusal
        ? new Failure(EXIT.refused, `The token is valid, but may not read: ${refusal.message}`)
        : refusal;
    });
    return { project_token: true };
  }
}

const nameOf = ({ first_name, last_name }: Profile) => `${first_name} ${last_name}`;

const describe = (who: Who) =>
  isProfile(who) ? `as ${nameOf(who)} (${who.username})` : "with a project token";
