import { deepActiveElement } from "../deep-active-element.ts";
import type { Form } from "../form/form.ts";
import { isolateKeys } from "../isolate-events.ts";
import type { Prefill } from "../prefill.ts";
import { readPrefill } from "../prefill.ts";
import type { Settings } from "../settings.ts";
import { createCorner } from "./corner.ts";
import { createEvents, type Events } from "./events.ts";
import { loadForm, loadLanguage } from "./load.ts";
import { watchTriggers } from "./triggers.ts";

export type Signalbox = {
  open(values?: unknown): void;
  hide(): void;
  on: Events["on"];
};

/** Adds the button or watches the triggers. The form is loaded when it is first opened. */
export function start(server: string, settings: Settings): Signalbox {
  isolateKeys();
  const { on, emit } = createEvents();
  const corner = createCorner(settings);
  const language = loadLanguage(server, settings.language);
  let form: Promise<Form> | undefined;
  let isHidden = false;

  async function createForm(): Promise<Form> {
    const [module, { lang, texts }] = await Promise.all([loadForm(server), language]);
    return module.createForm({ server, settings, lang, texts: { ...texts, ...settings.texts }, emit });
  }

  async function open(opener: HTMLElement | undefined, prefill: Prefill = {}) {
    corner.notify("");
    try {
      form ??= createForm();
      (await form).open(prefill, opener);
    } catch {
      form = undefined;
      const { lang } = await language;
      corner.notify(NOT_LOADED[lang] ?? NOT_LOADED["en"] ?? "");
      emit("error", { status: null });
    }
  }

  async function addButton() {
    const { texts } = await language;
    if (isHidden) return;
    corner.addButton(
      settings.text ?? settings.texts.button ?? texts.button ?? "Feedback",
      (button) => void open(button),
    );
  }

  if (settings.trigger === undefined) whenBodyExists(() => void addButton());
  else watchTriggers(settings.trigger, (element) => void open(element));
  return {
    open: (values) => void open(deepActiveElement(), readPrefill(values)),
    hide() {
      isHidden = true;
      corner.removeButton();
    },
    on,
  };
}

/** In the languages that the widget has. Not in their files, which cannot be loaded either then. */
const NOT_LOADED: Record<string, string> = {
  en: "The form could not be loaded. Check your connection and try again.",
  de: "Das Formular konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.",
};

function whenBodyExists(run: () => void) {
  if (document.body) run();
  else document.addEventListener("DOMContentLoaded", run, { once: true });
}
