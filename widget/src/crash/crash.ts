/**
 * The script that Sentry's SDKs load when an application calls `Sentry.showReportDialog()`. Its address has all options as
 * parameters.
 */
import { deepActiveElement } from "../deep-active-element.ts";
import { isolateKeys } from "../isolate-events.ts";
import { loadForm, loadLanguage } from "../loader/load.ts";
import { readPrefill } from "../prefill.ts";
import { readSettings, text } from "../settings.ts";
import type { Texts } from "../texts/texts.ts";

/** Our texts by the names of Sentry's options. */
const TEXT_NAMES: Record<string, keyof Texts> = {
  title: "heading",
  labelName: "name",
  labelEmail: "email",
  labelComments: "description",
  labelClose: "close",
  labelSubmit: "send",
  errorGeneric: "unavailable",
  errorFormEntry: "invalid",
  successMessage: "sent",
};

async function openDialog(script: HTMLScriptElement) {
  const opener = deepActiveElement();
  const { searchParams: options, origin } = new URL(script.src);
  const server = `${origin}/`;
  const own: Partial<Texts> = {};
  for (const [name, key] of Object.entries(TEXT_NAMES)) {
    const value = text(options.get(name));
    if (value !== undefined) own[key] = value;
  }
  const subtitle = [options.get("subtitle"), options.get("subtitle2")].map(text).filter(Boolean).join(" ");
  if (subtitle !== "") own.intro = subtitle;
  const language = text(options.get("lang")) ?? text(document.documentElement.lang) ?? "auto";
  const [{ createForm }, { lang, texts }] = await Promise.all([
    loadForm(server),
    loadLanguage(server, language),
  ]);
  const form = createForm({
    server,
    settings: readSettings({ key: keyIn(options.get("dsn")) }, {}),
    lang,
    texts: { ...texts, ...own },
    kind: "bug",
    eventId: text(options.get("eventId")),
    emit: (event) => event === "close" && window.postMessage("__sentry_reportdialog_closed__", "*"),
  });
  form.open(readPrefill({ name: options.get("name"), email: options.get("email") }), opener);
}

/** The key in `https://KEY@host/42`. */
function keyIn(dsn: string | null): string {
  return dsn !== null && URL.canParse(dsn) ? new URL(dsn).username : "";
}

const { currentScript } = document;
if (currentScript instanceof HTMLScriptElement) {
  isolateKeys();
  // oxlint-disable-next-line no-console -- developers see the console
  openDialog(currentScript).catch((error: unknown) => console.warn("[signalbox]", error));
}
