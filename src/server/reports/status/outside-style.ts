/** The colors are those of the web app. */
const LIGHT =
  "--canvas:#f8f5f1;--surface:#fefdfa;--line:#dfdcd6;--line-strong:#87837c;--text:#1a2129;--text-2:#474e56;--accent:#195e7c;--accent-hover:#0e4d67;--accent-text:#145572;--on-accent:#fdfcf9;--focus:#036eae;--open:#34589d;--open-tint:#e5edfc;--resolved:#1f663f;--resolved-tint:#def3e4;--ignored:#595e64;--ignored-tint:#e9ebee;--warn:#785214;--warn-tint:#fdefd2;--danger:#af1239";
const DARK =
  "--canvas:#0c1217;--surface:#141920;--line:#292e35;--line-strong:#737b83;--text:#ece9e4;--text-2:#b8b6af;--accent:#5fc1e5;--accent-hover:#7cd1f3;--accent-text:#70ccee;--on-accent:#061520;--focus:#61c3f9;--open:#91b5f4;--open-tint:#1f2c46;--resolved:#70cf94;--resolved-tint:#163120;--ignored:#a7adb4;--ignored-tint:#282c30;--warn:#ebbc63;--warn-tint:#3a2b11;--danger:#f68390";

/** The style of pages for people without an account. */
export const OUTSIDE_STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
@media print{:root{${LIGHT}}}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main{max-width:44rem;margin:0 auto;padding:32px 16px 64px}
h1{margin:0;font-size:1.5rem;line-height:1.25}
h1+p:not(.quiet){margin-top:8px}
h2{margin:0 0 12px;font-size:1.125rem;line-height:1.35}
h3,h4,h5,h6{margin:12px 0 4px;font-size:1rem}
p,ul,ol,pre,blockquote,table{margin:0 0 12px}
section{margin-top:32px}
a{color:var(--accent-text)}
img{max-width:100%}
pre,code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.875rem;white-space:pre-wrap}
blockquote{margin-inline:0;padding-inline-start:12px;border-inline-start:3px solid var(--line);color:var(--text-2)}
th,td{padding:4px 8px;border:1px solid var(--line)}
[hidden]{display:none}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.project{margin:0 0 8px;color:var(--text-2)}
.quiet{color:var(--text-2);font-size:.875rem}
.text{white-space:pre-wrap}
.card{padding:16px;border:1px solid var(--line);border-radius:8px;background:var(--surface)}
.card>:last-child{margin-bottom:0}
.state{margin-top:16px}
.badge{display:inline-block;margin:0 0 8px;padding:2px 10px;border-radius:999px;font-weight:600;background:var(--ignored-tint);color:var(--ignored)}
.planned{background:var(--open-tint);color:var(--open)}
.in_progress{background:var(--warn-tint);color:var(--warn)}
.done{background:var(--resolved-tint);color:var(--resolved)}
.list{display:grid;gap:12px;margin:0 0 16px;padding:0;list-style:none}
.images{display:grid;gap:12px;margin:16px 0 0;padding:0;list-style:none;grid-template-columns:repeat(auto-fill,minmax(min(100%,12rem),1fr))}
.images a{display:block}
.images img{display:block;width:100%;height:10rem;object-fit:cover;border:1px solid var(--line);border-radius:8px;background:var(--surface)}
.who{display:flex;flex-wrap:wrap;gap:0 8px;align-items:baseline;margin:0 0 4px}
.team{border-inline-start:3px solid var(--accent)}
label{display:block;margin:0 0 4px;font-weight:600}
input,textarea{display:block;width:100%;margin:0 0 12px;padding:8px 12px;border:1px solid var(--line-strong);border-radius:6px;background:var(--surface);color:inherit;font:inherit}
textarea{min-height:7rem;resize:vertical}
button{min-height:40px;padding:8px 16px;border:0;border-radius:6px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--accent-hover)}
button[aria-disabled=true]{opacity:.6}
.answer{margin:12px 0 0}
.answer:empty{display:none}
.failed{color:var(--danger)}
[aria-invalid=true]{border-color:var(--danger)}
@media print{main{max-width:none;padding:0}form,.screen{display:none}.card{break-inside:avoid}}
`;
