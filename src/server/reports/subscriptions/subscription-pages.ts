import { html, type Html } from "../status/html.ts";
import { dateOf, type OutsidePage } from "../status/outside-page.ts";
import { STATE_TEXTS } from "../status/state-texts.ts";
import type { MyReports } from "../../../shared/subscriptions.ts";
import type { LinkedSubscription } from "./subscription-links.ts";

/**
 * Sends the page's only form. Without a script, the browser sends it, because unsubscribing must work everywhere. Opening the page
 * sends nothing: programs that check emails open links.
 */
const SCRIPT = `
"use strict";
const form = document.querySelector("form");
const answer = form.querySelector("output");
let isSending = false;
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isSending) return;
  isSending = true;
  try {
    const response = await fetch(form.action, { method: "POST", credentials: "omit" });
    answer.textContent = response.ok ? form.dataset.done : response.status === 404 ? form.dataset.gone : "This did not work. Please try again in a minute.";
    answer.classList.toggle("failed", !response.ok);
    if (response.ok) form.querySelector("button").hidden = true;
  } catch {
    answer.textContent = "This did not work. Check your connection and try again.";
    answer.classList.add("failed");
  } finally {
    isSending = false;
  }
});
`;

type Action = {
  path: string;
  button: string;
  done: string;
  gone: string;
  /** Whether the response to the form is a page, which browsers without JavaScript then show. */
  hasPage: boolean;
};

const formOf = ({ path, button, done, gone, hasPage }: Action): Html =>
  html`<form method="post" action="/api${path}" data-done="${done}" data-gone="${gone}">
    <button>${button}</button>
    <output class="answer"></output>
    ${
      hasPage
        ? undefined
        : html`<noscript
            ><p class="answer quiet">
              Without JavaScript, no message appears after you press the button. It works all the same.
            </p></noscript
          >`
    }
  </form>`;

/** Asks the owner of an address to confirm it. */
export function confirmPage(link: string, { email, project_name }: LinkedSubscription): OutsidePage {
  return {
    title: `Confirm your email address · ${project_name}`,
    script: SCRIPT,
    body: html`<p class="project" dir="auto">${project_name}</p>
      <h1>Get news about the report?</h1>
      <p>
        We will email <bdi>${email}</bdi> when the team answers and when there is a result. You can
        unsubscribe at any time.
      </p>
      ${formOf({
        path: `/subscriptions/${link}/confirm`,
        button: "Confirm your address",
        done: "Thank you. Your address is confirmed.",
        gone: "This link has expired. Enter your address on the report's page to get a new one.",
        hasPage: false,
      })}`,
  };
}

const UNSUBSCRIBED = "You are unsubscribed.";

/** The response to the form of a browser without JavaScript. */
export const UNSUBSCRIBED_PAGE: OutsidePage = {
  title: "Unsubscribed",
  body: html`<h1>${UNSUBSCRIBED}</h1>
    <p>We will send you no more emails about the report.</p>`,
};

/** Asks whether to end a subscription. */
export function unsubscribePage(link: string, { email, project_name }: LinkedSubscription): OutsidePage {
  return {
    title: `Unsubscribe · ${project_name}`,
    script: SCRIPT,
    body: html`<p class="project" dir="auto">${project_name}</p>
      <h1>Stop getting news about the report?</h1>
      <p>We will send no more emails about it to <bdi>${email}</bdi>.</p>
      ${formOf({
        path: `/subscriptions/${link}/unsubscribe`,
        button: "Unsubscribe",
        done: UNSUBSCRIBED,
        gone: "This link does not work any longer.",
        hasPage: true,
      })}`,
  };
}

/** Lists someone's reports. */
export function myReportsPage({ project, data }: MyReports): OutsidePage {
  const items = data.map(
    ({ title, created_at, state, url }) =>
      html`<li class="card">
        <h2 dir="auto"><a href="${url}">${title}</a></h2>
        <p class="badge ${state}">${STATE_TEXTS[state].name}</p>
        <p class="quiet">Reported on ${dateOf(created_at)}</p>
      </li>`,
  );
  return {
    title: `Your reports · ${project.name}`,
    body: html`<header>
        <p class="project" dir="auto">${project.name}</p>
        <h1>Your reports</h1>
      </header>
      <section aria-label="Reports">
        ${
          data.length === 0
            ? html`<p>There are no reports with a confirmed address.</p>`
            : html`<ul class="list">
                ${items}
              </ul>`
        }
      </section>`,
  };
}
