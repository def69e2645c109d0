import type { createForm } from "../form/form.ts";
import type { Texts } from "../texts/texts.ts";

type FormModule = { createForm: typeof createForm };

/** How often loading the form failed. Browsers may keep a failure, so each attempt has another address. */
let failures = 0;

/** A dynamic import uses the nonce of the script that contains it, and needs no permission of Trusted Types. */
export async function loadForm(server: string): Promise<FormModule> {
  const repeated = failures > 0 ? `?${failures}` : "";
  try {
    return (await import(`${server}${FORM_FILE}${repeated}`)) as FormModule;
  } catch (error) {
    failures++;
    throw error;
  }
}

export type Language = { lang: string; texts: Partial<Texts> };

const ENGLISH: Language = { lang: "en", texts: {} };

/** Loads the texts of a language; `auto` is the browser's. English is part of the form and replaces what is not available. */
export async function loadLanguage(server: string, language: string): Promise<Language> {
  const wanted = language === "auto" ? navigator.languages : [language];
  const lang = wanted
    .map((name) => name.toLowerCase().split("-")[0] ?? "")
    .find((name) => name === "en" || Object.hasOwn(LANGUAGE_FILES, name));
  const file = lang === undefined ? undefined : LANGUAGE_FILES[lang];
  if (lang === undefined || file === undefined) return ENGLISH;
  try {
    const { texts } = (await import(`${server}${file}`)) as { texts: Texts };
    return { lang, texts };
  } catch {
    return ENGLISH;
  }
}
