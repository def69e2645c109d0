import type { Preference } from "../../shared/people.ts";

/** What a mail says, before it has a form. */
export type MailContent = {
  subject: string;
  lines: string[];
  button: { label: string; path: string };
  preference: Preference | null;
};

/** The page of the web app on which notifications are switched. */
export const PREFERENCES_PATH = "/settings/notifications";

/** The switches as the preferences page names them. */
const SWITCHES: Partial<Record<Preference, string>> = {
  notify_mentions: "Mentions",
  notify_assignment: "Assignment",
  notify_project_membership: "Project membership",
  notify_team_membership: "Team membership",
  notify_watched_activity_email: "Activity on watched issues",
  notify_report_activity_email: "New reports",
  notify_error_activity_email: "New errors",
  email_notifications_enabled: "E-mail notifications",
};

/** The plain and the HTML form of the same mail; links lie below `publicUrl`. */
export function renderMail(mail: MailContent, publicUrl: string): { text: string; html: string } {
  const link = `${publicUrl}${mail.button.path}`;
  const settings = `${publicUrl}${PREFERENCES_PATH}`;
  const footer =
    mail.preference === null
      ? undefined
      : `You get this mail because “${SWITCHES[mail.preference] ?? mail.preference}” is switched on.`;
  return {
    text: plain(mail, link, footer, settings),
    html: html(mail, link, footer, settings),
  };
}

function plain({ lines, button }: MailContent, link: string, footer: string | undefined, settings: string) {
  const parts = [...lines, `${button.label}:\n${link}`];
  if (footer !== undefined) parts.push(`-- \n${footer}\nSwitch it off: ${settings}`);
  return `${parts.join("\n\n")}\n`;
}

// Mail programs know neither style sheets nor scripts: the styles stand on the elements.
const BODY =
  "margin:0;padding:24px;background:#f4f4f2;color:#1c1c1a;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif";
const CARD = "max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px";
const TITLE = "margin:0 0 16px;font-size:18px;line-height:1.3";
const PARAGRAPH = "margin:0 0 16px;white-space:pre-line;overflow-wrap:anywhere";
const BUTTON =
  "display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none;font-weight:600";
const FOOTER = "max-width:560px;margin:16px auto 0;color:#5c5c57;font-size:13px";

function html(
  { subject, lines, button }: MailContent,
  link: string,
  footer: string | undefined,
  settings: string,
) {
  const paragraphs = lines.map((line) => `<p style="${PARAGRAPH}">${escapeHtml(line)}</p>`).join("\n");
  const end =
    footer === undefined
      ? ""
      : `<p style="${FOOTER}">${escapeHtml(footer)} <a href="${escapeHtml(settings)}" style="color:inherit">Switch it off</a></p>\n`;
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

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
