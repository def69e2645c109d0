import { escapeHtml } from "../answers/escape-html.ts";
import { EMAIL_EVENTS } from "../../shared/email-events.ts";
import type { Preference } from "../../shared/people.ts";

/** The content of an email, independent of its format. */
export type MailContent = {
  subject: string;
  lines: string[];
  /** The path that each line links to, or null. Null if no line has a link. */
  linePaths: (string | null)[] | null;
  /** The Markdown of the last line; null if there is none. */
  excerpt: string | null;
  button: { label: string; path: string };
  preference: Preference | null;
  /** The pages that an email to someone outside the team links to. Such people have no preferences. */
  unsubscribePath: string | null;
  myReportsPath: string | null;
};

/** The web app's page of notification preferences. */
export const PREFERENCES_PATH = "/settings/notifications";

/** Renders the email as plain text and as HTML. Links are relative to `publicUrl`. */
export async function renderMail(
  mail: MailContent,
  publicUrl: string,
): Promise<{ text: string; html: string }> {
  const link = `${publicUrl}${mail.button.path}`;
  const footer = footerOf(mail, publicUrl);
  return {
    text: plain(mail, { publicUrl, link, footer }),
    html: html(mail, { paragraphs: await paragraphsOf(mail, publicUrl), link, footer }),
  };
}

/** Why the recipient gets the email, and how to change that. */
type Footer = { reason: string; links: { label: string; url: string }[] };

function footerOf({ preference, unsubscribePath, myReportsPath }: MailContent, publicUrl: string) {
  const linkTo = (label: string, path: string | null) =>
    path === null ? [] : [{ label, url: `${publicUrl}${path}` }];
  if (unsubscribePath !== null)
    return {
      reason: "You received this email because your address was entered to get updates about a report.",
      links: [...linkTo("See all your reports", myReportsPath), ...linkTo("Unsubscribe", unsubscribePath)],
    };
  if (preference === null) return undefined;
  return {
    reason: `You receive this email because “${nameOf(preference)}” is turned on.`,
    links: linkTo("Change your notification preferences", PREFERENCES_PATH),
  };
}

/** As on the preferences page. */
const nameOf = (preference: Preference): string =>
  (EMAIL_EVENTS as Partial<Record<Preference, string>>)[preference] ?? preference;

type TextParts = { publicUrl: string; link: string; footer: Footer | undefined };

function plain({ lines, linePaths, button }: MailContent, { publicUrl, link, footer }: TextParts) {
  const paragraphs = lines.map((line, n) => {
    const path = linePaths?.[n];
    return path ? `${line}\n${publicUrl}${path}` : line;
  });
  const parts = [...paragraphs, `${button.label}:\n${link}`];
  if (footer !== undefined)
    parts.push(
      ["-- ", footer.reason, ...footer.links.map(({ label, url }) => `${label}: ${url}`)].join("\n"),
    );
  return `${parts.join("\n\n")}\n`;
}

// Email clients ignore style sheets, so styles are inline.
const BODY =
  "margin:0;padding:24px;background:#f4f4f2;color:#1c1c1a;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif";
const CARD = "max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px";
const TITLE = "margin:0 0 16px;font-size:18px;line-height:1.3";
const PARAGRAPH = "margin:0 0 16px;white-space:pre-line;overflow-wrap:anywhere";
const LINK = "color:#1f4fd8;font-weight:600;text-decoration:none";
const EXCERPT = "margin:0 0 16px;overflow-wrap:anywhere";
const BUTTON =
  "display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none;font-weight:600";
const FOOTER = "max-width:560px;margin:16px auto 0;color:#5c5c57;font-size:13px";

type HtmlParts = { paragraphs: string; link: string; footer: Footer | undefined };

function html({ subject, button }: MailContent, { paragraphs, link, footer }: HtmlParts) {
  const links = footer?.links.map(
    ({ label, url }) => `<a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(label)}</a>`,
  );
  const end =
    footer === undefined
      ? ""
      : `<p style="${FOOTER}">${escapeHtml(footer.reason)} ${links?.join(" · ")}</p>\n`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="${BODY}">
<div style="${CARD}">
<h1 style="${TITLE}">${escapeHtml(subject)}</h1>
${paragraphs}
<p style="margin:0"><a href="${escapeHtml(link)}" style="${BUTTON}">${escapeHtml(button.label)}</a></p>
</div>
${end}</body>
</html>
`;
}

async function paragraphsOf(
  { lines, linePaths, excerpt, button, unsubscribePath }: MailContent,
  publicUrl: string,
): Promise<string> {
  const plainLines = excerpt === null ? lines : lines.slice(0, -1);
  const paragraphs = plainLines.map((line, n) => {
    const path = linePaths?.[n];
    return `<p style="${PARAGRAPH}">${path ? linked(line, `${publicUrl}${path}`) : escapeHtml(line)}</p>`;
  });
  if (excerpt === null) return paragraphs.join("\n");
  // Loaded on first use, which shortens the start of the server.
  const { emailHtml } = await import("../../shared/markdown/email-html.ts");
  // The recipient can open the button's page, so mentions of its project may be links.
  const projectKey = /^\/projects\/([A-Z0-9]+)\//.exec(button.path)?.[1];
  // People outside the team have no other way to read the text than this email and the status page, so nothing is cut.
  const length = unsubscribePath === null ? undefined : excerpt.length;
  const shown = emailHtml(excerpt, publicUrl, projectKey, length);
  return [...paragraphs, `<div style="${EXCERPT}">${shown}</div>`].join("\n");
}

/** The first line of the paragraph is the link. */
function linked(paragraph: string, link: string): string {
  const [first = "", ...rest] = paragraph.split("\n");
  const title = `<a href="${escapeHtml(link)}" style="${LINK}">${escapeHtml(first)}</a>`;
  return [title, ...rest.map(escapeHtml)].join("\n");
}
