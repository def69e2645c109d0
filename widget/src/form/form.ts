import { addStyles, h, icon } from "../dom.ts";
import { createImages } from "../images/index.ts";
import { FORM_TAG, isolateEvents } from "../isolate-events.ts";
import type { EventName } from "../loader/events.ts";
import type { Prefill } from "../prefill.ts";
import type { Kind, Settings } from "../settings.ts";
import { en } from "../texts/en.ts";
import type { Texts } from "../texts/texts.ts";
import { followTheme } from "../theme.ts";
import { trapFocus } from "./trap-focus.ts";
import { collectFacts, describeFacts, type Facts } from "./facts.ts";
import { createFields } from "./fields.ts";
import css from "./form.css";
import { createSender, type Outcome } from "./send.ts";
import { createSentView } from "./sent-view.ts";
import tokens from "./tokens.css";

export type FormOptions = {
  /** The server's address, with a slash at its end. */
  server: string;
  settings: Settings;
  /** Of the texts that the page or the language provides. */
  lang: string;
  texts: Partial<Texts>;
  emit(event: EventName, detail?: unknown): void;
  /** What the report is about, if the visitor does not choose. */
  kind?: Kind;
  /** The error that the report is about; otherwise the last one of the page. */
  eventId?: string | undefined;
};

export type Form = {
  /** Opens the form, or fills it in if it is open. The focus returns to the opener. */
  open(prefill: Prefill, opener: HTMLElement | undefined): void;
};

/** Creates the form. It keeps its text until it has been sent or the page is left. */
export function createForm({ server, settings, lang, emit, ...options }: FormOptions): Form {
  const texts: Texts = { ...en, ...options.texts };
  const host = document.createElement(FORM_TAG);
  const root = host.attachShadow({ mode: "open" });
  addStyles(root, tokens + css);
  isolateEvents(host);

  const sender = createSender(server, settings.key);
  const fields = createFields(settings, texts);
  const announcement = h("div", { class: "announcement", role: "status" });
  const announce = (text: string) => void (announcement.textContent = text);
  const images = createImages({ root, texts, announce, whileHidden });
  const alert = h("div", { class: "alert", role: "alert" });
  const details = h("div", { class: "details" });
  const send = h("button", { class: "button primary", type: "submit" }, texts.send);
  const heading = h("h2", { id: "heading", tabindex: -1 }, texts.heading);
  const form = h(
    "form",
    { novalidate: true },
    h(
      "div",
      { class: "content" },
      h("p", { class: "intro", id: "intro" }, texts.intro),
      ...fields.elements,
      images.element,
      details,
    ),
    h("footer", {}, alert, send),
  );
  const sent = createSentView(texts, () => dialog.close());
  const dialog = h(
    "dialog",
    { "aria-labelledby": "heading" },
    h(
      "header",
      {},
      heading,
      closeButton(texts.close, () => dialog.close()),
    ),
    form,
    sent.element,
    announcement,
  );
  const container = h("div", { class: "root", lang, dir: "ltr" }, dialog);
  followTheme(container, settings.theme);
  root.append(container);
  trapFocus(dialog);

  let facts: Facts = collectFacts({ release: settings.release, eventId: options.eventId });
  let tags: Prefill["tags"];
  let isSending = false;
  let opener: HTMLElement | undefined;

  function open(prefill: Prefill, from: HTMLElement | undefined) {
    fields.prefill(prefill);
    tags = prefill.tags ?? tags;
    if (dialog.open) return;
    opener = from;
    facts = collectFacts({ release: settings.release, eventId: options.eventId });
    details.replaceChildren(h("p", { class: "label" }, texts.details), describeFacts(facts, texts));
    // Added again each time: what was in the page before may be hidden from screen readers by the page's own dialog.
    document.body.append(host);
    dialog.showModal();
    fields.focusFirst();
    emit("open");
    void sender.isAccepted().then((isAccepted) => isAccepted === false && fail(texts.refused));
  }

  dialog.addEventListener("close", () => {
    host.remove();
    if (sent.isShown()) showForm();
    opener?.focus();
    emit("close");
  });
  // Without this, the browser opens a dropped image instead of the page.
  dialog.addEventListener("dragover", (event) => event.preventDefault());
  for (const type of ["paste", "drop"] as const)
    dialog.addEventListener(type, (event) => {
      const data = event instanceof ClipboardEvent ? event.clipboardData : event.dataTransfer;
      if (data && images.take(data)) event.preventDefault();
    });
  dialog.addEventListener("keydown", ({ key, ctrlKey, metaKey, isComposing }) => {
    if (key === "Enter" && (ctrlKey || metaKey) && !isComposing && !form.hidden) form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });

  async function submit() {
    if (isSending) return;
    fail("");
    if (!fields.check()) return fail(texts.invalid);
    setSending(true);
    const { kind } = options;
    const outcome = await sender.send(
      { ...fields.values(), ...(kind && { kind }), ...facts, tags },
      images.files(),
    );
    setSending(false);
    show(outcome);
  }

  function show(outcome: Outcome) {
    if (outcome.kind === "sent") {
      const { id, status_url } = outcome;
      heading.textContent = texts.sentHeading;
      form.hidden = true;
      sent.show(status_url);
      fields.clear();
      images.clear();
      if (dialog.open) heading.focus();
      announce(texts.sent);
      emit("sent", { id, status_url });
    } else if (outcome.kind === "invalid") {
      const others = fields.showErrors(outcome.errors);
      fail([texts.invalid, ...others].join(" "));
      emit("error", { status: 422 });
    } else {
      fail(texts[outcome.failure]);
      emit("error", { status: outcome.status });
    }
  }

  /** Announced, because it is an alert. */
  function fail(message: string) {
    alert.textContent = message;
  }

  function showForm() {
    heading.textContent = texts.heading;
    announce("");
    sent.hide();
    form.hidden = false;
  }

  function setSending(value: boolean) {
    isSending = value;
    send.textContent = value ? texts.sending : texts.send;
    send.setAttribute("aria-disabled", String(value));
  }

  async function whileHidden<T>(action: () => Promise<T>): Promise<T> {
    const focused = root.activeElement;
    dialog.classList.add("hidden");
    try {
      return await action();
    } finally {
      dialog.classList.remove("hidden");
      if (focused instanceof HTMLElement) focused.focus();
    }
  }

  return { open };
}

function closeButton(label: string, close: () => void) {
  const button = h(
    "button",
    { class: "button icon", type: "button", "aria-label": label },
    icon("M6 6l12 12", "M18 6L6 18"),
  );
  button.addEventListener("click", close);
  return button;
}
