/**
 * Sends the forms of the status page. It shows them, because without a script they could not be sent. A draft survives a failure, and
 * the same key is sent again, so that a message is not stored twice.
 */
export const STATUS_SCRIPT = `
"use strict";
for (const hint of document.querySelectorAll(".without-script")) hint.hidden = true;
for (const form of document.forms) {
  const field = form.elements[0];
  const button = form.querySelector("button");
  const answer = form.querySelector("output");
  let key;
  let isSending = false;
  form.hidden = false;
  form.addEventListener("input", () => {
    key = undefined;
    field.removeAttribute("aria-invalid");
  });
  const show = (text, isFailure) => {
    answer.textContent = text;
    answer.classList.toggle("failed", isFailure);
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSending) return;
    show("", false);
    if (field.value.trim() === "") return fail(form.dataset.missing);
    isSending = true;
    button.setAttribute("aria-disabled", "true");
    try {
      key ??= Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
      const response = await fetch(form.dataset.to, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify({ [field.name]: field.value }),
        credentials: "omit",
      });
      if (response.ok) {
        if (field.name === "content") add(await response.json());
        key = undefined;
        form.reset();
        show(form.dataset.done, false);
      } else if (response.status === 422) fail(form.dataset.invalid);
      else if (response.status === 429) show("That was too many at once. Please try again in a minute.", true);
      else if (response.status === 404) show("This link does not work any longer.", true);
      else show("This could not be sent. Please try again.", true);
    } catch {
      show("This could not be sent. Check your connection and try again.", true);
    } finally {
      isSending = false;
      button.removeAttribute("aria-disabled");
    }
  });
  function fail(text) {
    show(text, true);
    field.setAttribute("aria-invalid", "true");
    field.focus();
  }
}
function add({ name, content, created_at }) {
  const message = document.querySelector("template").content.firstElementChild.cloneNode(true);
  message.querySelector("bdi").textContent = name ?? "You";
  const time = message.querySelector("time");
  time.dateTime = created_at;
  time.textContent = new Date(created_at).toLocaleDateString("en-US", { dateStyle: "long" });
  message.querySelector(".text").textContent = content;
  document.querySelector("#messages").append(message);
  document.querySelector("#none")?.remove();
}
`;
