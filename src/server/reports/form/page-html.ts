import { createHash } from "node:crypto";
import { escapeHtml } from "../../answers/escape-html.ts";

/** The form itself brings its own styles. */
const STYLE = `
:root { color-scheme: light dark; --canvas: #f8f5f1; --text: #1a2129; --text-2: #474e56 }
@media (prefers-color-scheme: dark) { :root { --canvas: #0c1217; --text: #ece9e4; --text-2: #b8b6af } }
body { margin: 0; background: var(--canvas); color: var(--text);
  font: 400 14px/20px "Hanken Grotesk Variable", "Hanken Grotesk", system-ui, sans-serif; overflow-wrap: anywhere }
main { box-sizing: border-box; max-width: 624px; margin: 0 auto; padding: 48px 16px }
h1 { margin: 0; font-size: 24px; font-weight: 650; line-height: 32px; text-wrap: balance }
p { margin: 8px 0 24px; color: var(--text-2) }
@media (width <= 520px) { main { padding-block: 24px } }
`;

const styleHash = createHash("sha256").update(STYLE).digest("base64");

/** The page loads its script and the script's worker from this server, and nothing from elsewhere. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page of a project's form. `script` is the path of its script. */
export function formHtml(projectName: string, script: string): string {
  const name = escapeHtml(projectName);
  return htmlOf(
    `Send feedback to ${name}`,
    `<h1>Send feedback to <bdi>${name}</bdi></h1>
<p>Found a problem, or missing something? Tell us about it.</p>
<div id="form"><noscript>This form needs JavaScript. Switch it on in your browser and reload the page.</noscript></div>
<script type="module" src="${script}"></script>`,
  );
}

const htmlOf = (title: string, content: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;

/** There is no form, or it is switched off. */
export const MISSING_HTML = htmlOf(
  "Form not found",
  `<h1>There is no form at this address</h1>
<p>It may have been switched off. Ask for a new address where you found this one.</p>`,
);
