import { source, type Story } from "./story.ts";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1";

export const BROWSER_STORY: Story = {
  fate: "fixed",
  event: {
    environment: "production",
    exception_class: "TypeError",
    level: "error",
    stack_trace: [
      "TypeError: Cannot read properties of null (reading 'focus')",
      "    at openSizeGuide (https://www.northwind.example/src/product/size-guide.tsx:44:23)",
      "    at onClick (https://www.northwind.example/src/product/size-picker.tsx:71:9)",
      "    at executeDispatch (https://www.northwind.example/assets/vendor/react-dom-C0fQz1.js:8:71364)",
      "    at runWithFiberInDEV (https://www.northwind.example/assets/vendor/react-dom-C0fQz1.js:8:3911)",
      "    at processDispatchQueue (https://www.northwind.example/assets/vendor/react-dom-C0fQz1.js:8:70955)",
    ].join("\n"),
    runtime: { name: "chrome", version: "142.0" },
    framework: { name: "react", version: "19.3.1" },
    context: { kind: "route", name: "product.show", method: "GET", pattern: "/bikes/{slug}" },
  },
  messages: ["Cannot read properties of null (reading 'focus')"],
  frames: [
    {
      function: "openSizeGuide",
      filename: "https://www.northwind.example/src/product/size-guide.tsx",
      lineno: 44,
      colno: 23,
      in_app: true,
      ...source(`
 export function openSizeGuide(dialog: RefObject<HTMLDialogElement | null>) {
   dialog.current?.showModal();
   // Screen readers read the heading first.
>  dialog.current?.querySelector("h2").focus();
   track("size-guide.open");
 }`),
    },
    {
      function: "onClick",
      filename: "https://www.northwind.example/src/product/size-picker.tsx",
      lineno: 71,
      colno: 9,
      in_app: true,
      ...source(`
       type="button"
       className="link"
       onClick={() => {
         setHint(undefined);
>        openSizeGuide(guide);
       }}
     >
       Which size fits me?`),
    },
    {
      function: "executeDispatch",
      filename: "https://www.northwind.example/assets/vendor/react-dom-C0fQz1.js",
      lineno: 8,
      colno: 71_364,
      in_app: false,
    },
    {
      function: "processDispatchQueue",
      filename: "https://www.northwind.example/assets/vendor/react-dom-C0fQz1.js",
      lineno: 8,
      colno: 70_955,
      in_app: false,
    },
  ],
  breadcrumbs: [
    {
      before: 42,
      category: "navigation",
      type: "navigation",
      message: "/bikes → /bikes/randonneur-40",
      data: { from: "/bikes", to: "/bikes/randonneur-40" },
    },
    {
      before: 41.2,
      category: "fetch",
      type: "http",
      message: "GET /api/v3/bikes/randonneur-40",
      data: { method: "GET", url: "/api/v3/bikes/randonneur-40", status_code: 200 },
    },
    { before: 18, category: "ui.click", type: "ui", message: "button.color[aria-label='Moss green']" },
    {
      before: 17.6,
      category: "console",
      level: "warning",
      message: "The size guide of randonneur-40 has no heading",
    },
    { before: 0.1, category: "ui.click", type: "ui", message: "button.link > “Which size fits me?”" },
  ],
  tags: {
    browser: ["Chrome 142", "Chrome 142", "Safari 26", "Firefox 145"],
    os: ["Windows", "macOS", "iOS"],
    locale: ["de", "nl", "en"],
    handled: ["no"],
  },
  contexts: [
    {
      browser: { name: "Chrome", version: "142.0.0" },
      os: { name: "Windows", version: "11" },
      device: { family: "Desktop", screen_width_pixels: 1920, screen_height_pixels: 1080 },
      trace: { trace_id: "2f7f3c9d6f214f6b8b0a5c7d1e9f3a42", span_id: "90c4d2a7be1f3568" },
    },
    {
      browser: { name: "Mobile Safari", version: "26.1" },
      os: { name: "iOS", version: "18.7" },
      device: { family: "iPhone", model: "iPhone 15", screen_width_pixels: 393, screen_height_pixels: 852 },
      trace: { trace_id: "f0b34cb3a7a94d0d8f0d2f4b8f7a6c11", span_id: "17c9a0e4d25b8f63" },
    },
  ],
  requests: [
    {
      method: "GET",
      url: "https://www.northwind.example/bikes/randonneur-40?size=54",
      headers: { "User-Agent": CHROME, "Accept-Language": "de-DE" },
    },
    {
      method: "GET",
      url: "https://www.northwind.example/bikes/gravel-60",
      headers: {
        "User-Agent": SAFARI,
        "Accept-Language": "nl-NL",
        Referer: "https://www.northwind.example/bikes",
      },
    },
  ],
  extra: { product: "randonneur-40", sizes: [50, 52, 54, 56] },
  reports: [
    {
      title: "Which size fits me? does not open",
      description: "On the page of the Randonneur 40. On other bikes it works.",
      author: "Marta Kowalska",
    },
    {
      title: "I cannot see the size guide on my phone",
      description: "The text “Which size fits me?” is there, but nothing happens when I tap it.",
      author: "Rosa Conti",
    },
  ],
  comments: [
    "Three products have a size guide without a heading. I'll focus the dialog itself if there is none.",
    "Thanks! I asked the editors to add the headings, too.",
  ],
};
