/** The script of the public form's page: the widget's form without its dialog. */
import { addStyles, h } from "../dom.ts";
import { createFields } from "../form/fields.ts";
import css from "../form/form.css";
import { createSentView } from "../form/sent-view.ts";
import tokens from "../form/tokens.css";
import { createImages } from "../images/index.ts";
import { KINDS, readSettings } from "../settings.ts";
import { en } from "../texts/en.ts";
import { followTheme } from "../theme.ts";
import pageCss from "./page.css";
import { createPageSender } from "./send.ts";

function showForm(host: HTMLElement) {
  const root = host.attachShadow({ mode: "open" });
  addStyles(root, tokens + css + pageCss);
  const texts = { ...en, close: "Send more feedback" };
  const key = location.pathname.split("/").at(-1) ?? "";
  const sender = createPageSender(`/api/forms/${key}`, WORK_FILE);
  const fields = createFields({ ...readSettings({}, {}), kinds: [...KINDS] }, texts);
  const announcement = h("div", { class: "announcement", role: "status" });
  const announce = (text: string) => void (announcement.textContent = text);
  const images = createImages({ root, texts, announce });
  // People do not see it, so only programs fill it.
  const website = h("input", { name: "website", tabindex: -1, autocomplete: "off", "aria-label": "Website" });
  const trap = h("div", { class: "announcement", "aria-hidden": "true" }, website);
  const alert = h("div", { class: "alert", role: "alert" });
  const send = h("button", { class: "button primary", type: "submit" }, texts.send);
  const form = h(
    "form",
    { novalidate: true },
    h("div", { class: "content" }, ...fields.elements, images.element, trap, alert),
    h("footer", {}, send),
  );
  const sent = createSentView(texts, writeAnother);
  const heading = h("h2", { tabindex: -1, hidden: true }, texts.sentHeading);
  const container = h("div", { class: "root", lang: "en" }, heading, form, sent.element, announcement);
  followTheme(container, "system");
  root.append(container);

  let isSending = false;
  form.addEventListener("focusin", sender.prepare, { once: true });
  container.addEventListener("dragover", (event) => event.preventDefault());
  container.addEventListener("paste", ({ clipboardData }) => take(clipboardData));
  container.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });

  async function submit() {
    if (isSending) return;
    alert.textContent = "";
    if (!fields.check()) return void (alert.textContent = texts.invalid);
    setSending(true);
    const outcome = await sender.send(
      {
        ...fields.values(),
        website: website.value,
        viewport: `${innerWidth}x${innerHeight}`,
        language: navigator.language,
      },
      images.files(),
    );
    setSending(false);
    if (outcome.kind === "sent") {
      form.hidden = true;
      heading.hidden = false;
      sent.show(outcome.status_url);
      fields.clear();
      images.clear();
      heading.focus();
    } else if (outcome.kind === "invalid") {
      alert.textContent = [texts.invalid, ...fields.showErrors(outcome.errors)].join(" ");
    } else {
      alert.textContent = texts[outcome.failure];
    }
  }

  function writeAnother() {
    sent.hide();
    heading.hidden = true;
    form.hidden = false;
    fields.focusFirst();
  }

  function setSending(value: boolean) {
    isSending = value;
    send.textContent = value ? texts.sending : texts.send;
    send.setAttribute("aria-disabled", String(value));
  }

  const take = (data: DataTransfer | null) => data && images.take(data);
}

const host = document.querySelector<HTMLElement>("#form");
if (host) showForm(host);
