/** How the pages look, light and dark: one constant, so that its hash can stand in the content security policy. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --card: #f6f7f9; --ink: #1b2430; --quiet: #566273; --line: #d5dae1;
  --link: #0b57b0; --mark: #8a4b08; --button: #0b57b0; --on-button: #ffffff; --focus: #b3460e;
  --good: #17703a; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181e; --card: #1c222b; --ink: #e4e9f0; --quiet: #9ba8b8; --line: #38424f;
    --link: #86b7ff; --mark: #f0b978; --button: #86b7ff; --on-button: #0d1a2b; --focus: #ffb067;
    --good: #6fd396; --bad: #ff9d94;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .7rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.4rem 0 .5rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
nav ul { list-style: none; margin: 0 0 1.2rem; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
.lead, .note { white-space: pre-line; overflow-wrap: anywhere; }
.lead { font-size: 1.08rem; }
.note, .quiet { color: var(--quiet); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 1rem 0; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
code, pre, textarea, .route { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875rem; }
pre {
  background: var(--card); border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0 1rem; padding: .8rem 1rem;
  white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.45; tab-size: 2;
}
pre var { color: var(--mark); font-style: normal; font-weight: 600; }
h1.route { font-size: 1.35rem; }
.route var { color: var(--mark); font-style: normal; }
.list { list-style: none; margin: 0; padding: 0; }
.list > li { padding: .55rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.list > li:last-child { border-bottom: 0; }
.list .note { margin: .1rem 0 0; }
.verb {
  display: inline-block; border: 1px solid var(--line); border-radius: 4px; padding: 0 .4rem; margin-right: .3rem;
  font-size: .75rem; font-weight: 600; color: var(--quiet); background: var(--card);
}
.pair { display: grid; gap: 0 1.2rem; grid-template-columns: 1fr 1fr; }
.pair > div { min-width: 0; }
@media (max-width: 56rem) { .pair { grid-template-columns: 1fr; } }
form.call { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.2rem 1.2rem; }
form.call pre { background: var(--paper); }
.field { display: grid; grid-template-columns: minmax(10rem, 17rem) 1fr; gap: .15rem 1.2rem; padding: .5rem 0; }
.field > * { min-width: 0; }
.field label, .field .name { font-weight: 600; overflow-wrap: anywhere; }
.field .kind { display: block; font-size: .85rem; font-weight: 400; color: var(--quiet); }
.field .note { font-size: .9rem; margin: .2rem 0 0; }
@media (max-width: 40rem) { .field { grid-template-columns: 1fr; } }
input, select, textarea, button { font: inherit; color: inherit; }
input[type=text], input[type=search], input[type=password], select, textarea {
  width: 100%; max-width: 34rem; padding: .35rem .55rem; background: var(--paper);
  border: 1px solid var(--quiet); border-radius: 5px;
}
textarea { max-width: none; min-height: 3.4rem; resize: vertical; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875rem; }
textarea.message { min-height: 12rem; }
select { width: auto; min-width: 9rem; max-width: 100%; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
.choices { display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
.choices label { font-weight: 400; }
.choices input { margin: 0 .35rem 0 0; }
button {
  background: var(--button); color: var(--on-button); border: 0; border-radius: 5px; padding: .5rem 1.6rem;
  margin: .8rem 0 .2rem; font-weight: 600; cursor: pointer;
}
button[aria-busy=true] { opacity: .6; }
summary { cursor: pointer; padding: .25rem 0; width: fit-content; }
.status { font-weight: 600; margin: .8rem 0 .3rem; }
.status.good { color: var(--good); }
.status.bad { color: var(--bad); }
`;
