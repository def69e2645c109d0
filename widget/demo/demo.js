/** Includes the widget with the settings of the form, which are in the page's address. */
const SERVER = "http://localhost:3000";

const settings = new URLSearchParams(location.search);
for (const field of document.forms[0].elements)
  if (settings.has(field.name)) field.value = settings.get(field.name);

const log = document.querySelector("pre");
addEventListener("signalbox:ready", () => {
  for (const name of ["open", "close", "sent", "error"])
    window.Signalbox.on(name, (detail) => log.append(`${name} ${JSON.stringify(detail) ?? ""}\n`));
});
document
  .querySelector("#dialog")
  .addEventListener("click", () => document.querySelector("dialog").showModal());

const script = document.createElement("script");
script.src = `${SERVER}/widget.js`;
for (const [name, value] of settings) if (value !== "") script.dataset[name] = value;
script.dataset.key ||= (await firstKey()) ?? "";
document.body.append(script);

/** Undefined if nobody is signed in or there is no project yet. */
async function firstKey() {
  const read = async (path) => (await (await fetch(`/api/projects${path}`)).json()).data?.[0];
  const project = await read("");
  return project && (await read(`/${project.id}/ingest-keys`))?.key;
}
