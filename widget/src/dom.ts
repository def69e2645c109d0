type Child = Node | string | undefined;
type Attributes = Record<string, string | number | boolean | undefined>;

/** Creates an element. Attributes that are undefined or false are left out; true is an empty attribute. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/** Creates an icon of 24 × 24 from the lines of its paths. */
export function icon(...paths: string[]): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  setAttributes(svg, { viewBox: "0 0 24 24", "aria-hidden": "true" });
  for (const d of paths) {
    const path = document.createElementNS(svg.namespaceURI, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/** Adds a style sheet without a style element, which the page's policy may forbid. */
export function addStyles(root: ShadowRoot, css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
}

export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : String(value));
}

function append(parent: Element, children: Child[]) {
  for (const child of children) if (child !== undefined) parent.append(child);
}
