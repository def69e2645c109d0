import type { ReporterMessage, ReportStatus } from "../../../shared/report-status.ts";
import { html, Html } from "./html.ts";
import { dateOf, type OutsidePage } from "./outside-page.ts";
import { STATE_TEXTS } from "./state-texts.ts";
import { STATUS_SCRIPT } from "./status-script.ts";

/** What becomes of a report, for its author. Without a script, the page can be read but nothing can be sent. */
export async function statusPage(statusToken: string, status: ReportStatus): Promise<OutsidePage> {
  const { title, description, created_at, project, images, messages } = status;
  const rendered = await Promise.all(messages.map(messageItem));
  return {
    title: `${title} · ${project.name}`,
    script: STATUS_SCRIPT,
    body: html` <header>
        <p class="project" dir="auto">${project.name}</p>
        <h1 dir="auto">${title}</h1>
        <p class="quiet">Reported on ${dateOf(created_at)}</p>
      </header>
      ${stateCard(status)}
      <section aria-labelledby="report">
        <h2 id="report">Your report</h2>
        <div class="card"><p class="text" dir="auto">${description}</p></div>
        ${imageList(images)}
      </section>
      <section aria-labelledby="talk">
        <h2 id="talk">Messages</h2>
        <ul class="list" id="messages">
          ${rendered}
        </ul>
        ${messages.length === 0 ? html`<p class="quiet" id="none">No messages yet.</p>` : undefined}
        <template
          >${messageHtml({ from: "reporter", name: null, created_at, content: html`<p class="text" dir="auto"></p>` })}</template
        >
        <form
          data-to="/api/r/${statusToken}/messages"
          data-missing="Write a message first."
          data-invalid="The message is too long. Please shorten it."
          data-done="Your message was sent."
          novalidate
          hidden
        >
          <label for="content">Write to the team</label>
          <textarea
            id="content"
            name="content"
            dir="auto"
            required
            aria-describedby="content-answer"
          ></textarea>
          <button>Send message</button>
          <output class="answer" id="content-answer" for="content"></output>
        </form>
        <p class="quiet screen without-script">Turn on JavaScript to write to the team.</p>
      </section>
      <section aria-labelledby="news">
        <h2 id="news">Tell me when this changes</h2>
        <form
          data-to="/api/r/${statusToken}/subscription"
          data-missing="Enter your email address first."
          data-invalid="Enter one email address, such as kim@example.com."
          data-done="Thank you. If this address is not confirmed yet, you will get an email with a link that confirms it."
          novalidate
          hidden
        >
          <label for="email">Your email address</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="email"
            required
            aria-describedby="email-hint email-answer"
          />
          <p class="quiet" id="email-hint">You get replies of the team and the result, nothing else.</p>
          <button>Send me updates</button>
          <output class="answer" id="email-answer" for="email"></output>
        </form>
        <p class="quiet screen without-script">Turn on JavaScript to get updates by email.</p>
      </section>`,
  };
}

function stateCard({ state, release, reason }: ReportStatus): Html {
  const { name, text } = STATE_TEXTS[state];
  const title = release === null ? name : `${name} in ${release}`;
  return html` <div class="card state">
    <p class="badge ${state}"><span dir="auto">${title}</span></p>
    <p>${reason ?? text}</p>
  </div>`;
}

function imageList(images: ReportStatus["images"]): Html | undefined {
  if (images.length === 0) return undefined;
  const items = images.map(
    ({ url }, n) =>
      html`<li>
        <a href="${url}"><img src="${url}" alt="Image ${n + 1} of your report" loading="lazy" /></a>
      </li>`,
  );
  return html`<ul class="images">
    ${items}
  </ul>`;
}

async function messageItem(message: ReporterMessage): Promise<Html> {
  if (message.from === "reporter")
    return messageHtml({ ...message, content: html`<p class="text" dir="auto">${message.content}</p>` });
  // Loaded on first use, which shortens the start of the server. It escapes HTML and allows safe links only.
  const { markdownHtml } = await import("../../../shared/markdown/html.ts");
  return messageHtml({ ...message, content: new Html(markdownHtml(message.content)) });
}

type Shown = Pick<ReporterMessage, "from" | "name" | "created_at"> & { content: Html };

const messageHtml = ({ from, name, created_at, content }: Shown) =>
  html` <li class="card ${from}">
    <p class="who">
      <strong><bdi>${name ?? (from === "team" ? "The team" : "You")}</bdi></strong>
      <span class="quiet">${from === "team" ? "Team · " : undefined}${dateOf(created_at)}</span>
    </p>
    ${content}
  </li>`;
