import highlighter from "highlight.js/lib/core";
import type { LanguageFn } from "highlight.js";

type Load = () => Promise<{ default: LanguageFn }>;

const LANGUAGES: Record<string, Load> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  go: () => import("highlight.js/lib/languages/go"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

const ALIASES: Record<string, string> = {
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  "c++": "cpp",
  cs: "csharp",
  "c#": "csharp",
  patch: "diff",
  golang: "go",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  kt: "kotlin",
  py: "python",
  rb: "ruby",
  rs: "rust",
  ts: "typescript",
  tsx: "typescript",
  html: "xml",
  svg: "xml",
  vue: "xml",
  yml: "yaml",
};

/** Code and the language it says to be in. */
export type Code = { text: string; language: string };

/** First that the languages are loaded, then the HTML of each code; null for languages that are not known. */
export type Answer = "loaded" | (string | null)[];

addEventListener("message", (event: MessageEvent<Code[]>) => void answer(event.data));

async function answer(codes: readonly Code[]): Promise<void> {
  // Code whose language cannot be loaded keeps one color.
  const languages = await Promise.all(codes.map(({ language }) => load(language).catch(() => undefined)));
  postMessage("loaded" satisfies Answer);
  postMessage(codes.map(({ text }, index) => htmlOf(text, languages[index])) satisfies Answer);
}

/** The name by which the highlighter knows the language from now on; undefined if there is no such language. */
async function load(named: string): Promise<string | undefined> {
  const language = Object.hasOwn(ALIASES, named) ? (ALIASES[named] ?? named) : named;
  const loadLanguage = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (loadLanguage === undefined) return undefined;
  highlighter.registerLanguage(language, (await loadLanguage()).default);
  // The first use of a language prepares it, which takes longer than most code.
  highlighter.highlight("", { language });
  return language;
}

const htmlOf = (text: string, language: string | undefined) =>
  language === undefined ? null : highlighter.highlight(text, { language, ignoreIllegals: true }).value;
