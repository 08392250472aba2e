/**
 * The style sheet of all pages, for light and dark mode. It is a constant because the content security policy contains
 * its hash.
 */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfbf9; --card: #ffffff; --well: #f4f3ee; --ink: #1c2523; --quiet: #57625f; --line: #dfded6; --edge: #8d948f;
  --accent: #0b6b60; --accent-soft: #e3f1ee; --on-accent: #ffffff; --focus: #c2521f; --warm: #a8431a;
  --good: #17703a; --bad: #b3261e; --shadow: 0 1px 2px rgb(28 37 35 / 6%), 0 4px 14px rgb(28 37 35 / 5%);
  --tag: #0b6b60; --name: #8a4b08; --value: #1f5aa6; --number: #8b2f6d; --comment: #666b66;
  --get: #1c5cae; --get-soft: #e6effa; --post: #17703a; --post-soft: #e2f3e7; --put: #855200; --put-soft: #faefd9;
  --patch: #6540b8; --patch-soft: #efe9fb; --delete: #b3261e; --on-delete: #ffffff;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #121615; --card: #191f1d; --well: #0d1110; --ink: #e3eae7; --quiet: #9dabA6; --line: #2b3431; --edge: #6b7873;
    --accent: #63d6c3; --accent-soft: #16332e; --on-accent: #06231e; --focus: #ff9e6b; --warm: #ffa47f;
    --good: #72d69a; --bad: #ff9a90; --shadow: 0 1px 2px rgb(0 0 0 / 40%);
    --tag: #6fd8c7; --name: #e8b878; --value: #8fbdff; --number: #f0a3d3; --comment: #8e9a95;
    --get: #93c0ff; --get-soft: #17293f; --post: #7dd9a0; --post-soft: #15301f; --put: #eebf6b; --put-soft: #35280f;
    --patch: #c3adff; --patch-soft: #2a2144; --delete: #ff8d82; --on-delete: #2b0804;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
@media (scripting: none) { .script { display: none !important; } }
@media (scripting: enabled) { [data-later], .unscripted { display: none; } }
html { background: var(--paper); color: var(--ink); font: 15.5px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; scroll-padding-top: 4.5rem; }
body { margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.015em; margin: 0 0 .4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 2rem 0 .7rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: .06em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: 0; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: .75rem; top: .6rem; z-index: 3; background: var(--card); padding: .3rem .8rem; }
.lead, .note { white-space: pre-line; overflow-wrap: anywhere; }
.lead { font-size: 1.06rem; color: var(--quiet); max-width: 46rem; margin-top: 0; }
.note, .quiet { color: var(--quiet); }
code, pre, .route { font-family: var(--mono); font-size: .86em; }
kbd { font: .78rem var(--mono); color: var(--quiet); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 .35rem; background: var(--card); }

.top {
  position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: .4rem 1.4rem; padding: .55rem 1.5rem; min-height: 3.4rem;
  background: var(--card); border-bottom: 1px solid var(--line);
}
.brand { display: flex; align-items: center; gap: .6rem; color: var(--ink); font-weight: 650; text-decoration: none; min-width: 0; }
.brand span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.brand:hover span { text-decoration: underline; }
.mark { width: 1.75rem; height: 1.75rem; flex: none; }
.top nav { margin-left: auto; display: flex; gap: 1.1rem; font-size: .9rem; flex: none; }
.page { max-width: 62rem; margin: 0 auto; padding: 2rem 1.5rem 5rem; }
.with-aside { max-width: 104rem; padding-top: 0; padding-left: 0; padding-bottom: 0; display: grid; grid-template-columns: 16.5rem minmax(0, 1fr); gap: 2.4rem; }
.with-aside main { padding-top: 2rem; padding-bottom: 5rem; min-width: 0; }
.aside { border-right: 1px solid var(--line); position: sticky; top: 3.4rem; height: calc(100vh - 3.4rem); display: flex; flex-direction: column; }
.aside .search { padding: 1rem 1rem .6rem 1.5rem; margin: 0; }
.aside .scroll { overflow-y: auto; flex: 1; padding: 0 .6rem 2rem; }
.aside h2 { font-size: .78rem; color: var(--quiet); margin: 1rem .9rem .3rem; }
.aside ul { list-style: none; margin: 0; padding: 0; }
.aside a { display: block; padding: .24rem .9rem; border-radius: 6px; color: var(--ink); text-decoration: none; font-size: .9rem; overflow-wrap: anywhere; }
.aside a.route { font-size: .8rem; }
.aside a:hover { background: var(--well); }
.aside a[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.back { display: none; font-size: .9rem; margin: 0 0 .7rem; }
@media (max-width: 64rem) { .with-aside { display: block; padding-left: 1.5rem; } .aside { display: none; } .back { display: block; } }

.properties { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.2rem; margin: 1.1rem 0; font-size: .94rem; }
.properties dt { color: var(--quiet); }
.properties dd { margin: 0; overflow-wrap: anywhere; }
.search { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .9rem; margin: 1.6rem 0 .8rem; }
.search .box { position: relative; flex: 1 1 14rem; }
.search kbd { position: absolute; right: .6rem; top: 50%; transform: translateY(-50%); }
.search input:focus + kbd { display: none; }
.search .note { margin: 0; font-size: .88rem; }
.rows { list-style: none; margin: 0 0 1.6rem; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; box-shadow: var(--shadow); }
.rows > li { position: relative; padding: .6rem 1.1rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.rows > li:first-child { border-top: 0; }
.rows > li:hover { background: var(--accent-soft); }
.rows > li:first-child:hover { border-radius: 9px 9px 0 0; }
.rows > li:last-child:hover { border-radius: 0 0 9px 9px; }
.rows > li:target { box-shadow: inset 3px 0 var(--accent); }
.rows a { font-weight: 620; text-decoration: none; }
.rows a::after { content: ""; position: absolute; inset: 0; }
.rows .note { margin: .1rem 0 0; font-size: .92rem; }
.params { font: .8rem/1.5 var(--mono); color: var(--quiet); }
.params b { font-weight: 400; color: var(--ink); }
.params i { font-style: normal; color: var(--warm); }
.rows.by-verb > li { display: grid; grid-template-columns: 4.4rem minmax(0, 1fr); gap: 0 1rem; align-items: baseline; }
.rows.by-verb a.route { color: var(--ink); font-weight: 500; }
.jump { display: flex; flex-wrap: wrap; gap: .4rem; margin: .9rem 0 0; font: .82rem var(--mono); }
.jump a { padding: .12rem .7rem; border: 1px solid var(--line); border-radius: 99px; background: var(--card); color: var(--ink); text-decoration: none; }
.jump a:hover { border-color: var(--accent); color: var(--accent); }
.jump span { color: var(--quiet); margin-left: .35rem; }
.verbs { display: flex; flex-direction: column; gap: .15rem; }
.verb {
  display: inline-block; min-width: 4.2rem; text-align: center; border-radius: 5px; padding: .1rem .4rem; letter-spacing: .03em;
  font: 700 .72rem/1.5 var(--mono); color: var(--quiet); background: var(--well);
}
.verb.soap { color: var(--accent); background: var(--accent-soft); }
.verb.rest { color: var(--patch); background: var(--patch-soft); }
.rows .raised { position: relative; z-index: 1; font-weight: 400; text-decoration: underline; }
.rows .raised::after { content: none; }
.verb.get { color: var(--get); background: var(--get-soft); }
.verb.post { color: var(--post); background: var(--post-soft); }
.verb.put { color: var(--put); background: var(--put-soft); }
.verb.patch { color: var(--patch); background: var(--patch-soft); }
.verb.delete { color: var(--on-delete); background: var(--delete); }
.route var { color: var(--warm); font-style: normal; white-space: nowrap; }
h1.route { font-size: 1.45rem; font-weight: 650; letter-spacing: 0; }

.tabs { display: flex; gap: .2rem; overflow-x: auto; margin: 1.4rem 0 1.2rem; border-bottom: 1px solid var(--line); }
.tabs button { flex: none; background: none; color: var(--quiet); border: 0; border-bottom: 3px solid transparent; padding: .5rem .95rem; font-weight: 600; cursor: pointer; border-radius: 5px 5px 0 0; }
.tabs button:focus-visible { outline-offset: -3px; }
.tabs button:hover { color: var(--ink); background: var(--well); }
.tabs button[aria-selected=true] { color: var(--accent); border-bottom-color: var(--accent); }
.tabs .verb { min-width: 0; }
.console { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.2fr); gap: 1.6rem; align-items: start; }
.console + .console { margin-top: 2rem; }
.console > .right { position: sticky; top: 4.4rem; min-width: 0; }
@media (max-width: 56rem) { .console { grid-template-columns: minmax(0, 1fr); } .console > .right { position: static; } }
form.call, .auth { background: var(--card); border: 1px solid var(--line); border-radius: 10px; box-shadow: var(--shadow); }
form.call { padding: .5rem 1.2rem 1.1rem; }
.auth { margin: 1.1rem 0 0; max-width: 46rem; }
.auth summary { padding: .55rem 1.1rem; width: auto; }
.auth form { padding: 0 1.1rem .7rem; }
.field { padding: .55rem 0; }
.field label, .field .name { font-weight: 620; overflow-wrap: anywhere; }
.field .name-text { font-family: var(--mono); font-size: .88rem; }
.field .kind { font-size: .84rem; font-weight: 400; color: var(--quiet); margin-left: .35rem; }
.field .required { font-size: .78rem; font-weight: 600; color: var(--warm); margin-left: .35rem; }
.field .note { font-size: .88rem; margin: .2rem 0 0; }
.field .control { margin-top: .25rem; }
input, select, textarea, button { font: inherit; color: inherit; }
input[type=text], input[type=search], input[type=password], select, textarea {
  width: 100%; padding: .4rem .65rem; background: var(--paper); border: 1px solid var(--edge); border-radius: 7px;
}
input::placeholder, textarea::placeholder { color: var(--quiet); opacity: 1; }
textarea { min-height: 3.4rem; resize: vertical; display: block; line-height: 1.5; font-family: var(--mono); font-size: .84rem; white-space: pre; overflow: auto; }
select { width: auto; min-width: 9rem; max-width: 100%; }
input[type=file] { max-width: 100%; }
input[type=checkbox] { accent-color: var(--accent); }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
.choices { display: flex; flex-wrap: wrap; gap: .15rem 1rem; }
.choices label { font-weight: 400; }
.choices input { margin: 0 .35rem 0 0; }
.send { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin: .6rem -1.2rem -1.1rem; padding: .7rem 1.2rem .9rem; position: sticky; bottom: 0; background: var(--card); border-radius: 0 0 10px 10px; }
.call:focus-within .field :focus { scroll-margin-bottom: 5rem; }
.send button {
  background: var(--accent); color: var(--on-accent); border: 0; border-radius: 7px; padding: .5rem 1.7rem; font-weight: 650; cursor: pointer;
}
.send button.danger { background: var(--delete); color: var(--on-delete); }
.send button:hover { filter: brightness(1.08); }
button[aria-busy=true] { opacity: .55; }
.status { font-weight: 600; margin: 0; overflow-wrap: anywhere; }
.good { color: var(--good); }
.bad { color: var(--bad); }

.code { margin: 0 0 1rem; background: var(--well); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.code .bar { display: flex; flex-wrap: wrap; align-items: center; gap: .2rem .5rem; min-height: 2.5rem; padding: .2rem .5rem .2rem 1rem; border-bottom: 1px solid var(--line); font-size: .88rem; font-weight: 620; }
.code .bar .actions { margin-left: auto; display: flex; align-items: center; gap: .15rem; font-weight: 400; }
.code .bar button { background: none; border: 0; border-radius: 5px; padding: .2rem .55rem; color: var(--quiet); font-size: .84rem; cursor: pointer; }
.code .bar button:hover { color: var(--ink); background: var(--line); }
.code .done { font-size: .84rem; color: var(--good); font-weight: 400; }
pre { margin: 0; padding: .8rem 1rem; overflow: auto; max-height: 34rem; line-height: 1.5; tab-size: 2; }
pre:focus-visible { outline-offset: -3px; }
[data-results] > .note { margin: 0 0 1rem; text-align: center; font-size: .88rem; }
details.code > summary { padding: .45rem 1rem; width: auto; font-size: .88rem; font-weight: 620; }
details.code[open] > summary { border-bottom: 1px solid var(--line); }
details.code details { border-bottom: 1px solid var(--line); }
details.code details > summary { padding: .3rem 1rem; width: auto; font-size: .84rem; color: var(--quiet); }
details.code details pre { padding-top: .1rem; }
.cut { margin: 0; padding: .4rem 1rem; font-size: .84rem; color: var(--warm); border-bottom: 1px solid var(--line); }
summary { cursor: pointer; width: fit-content; }
summary .quiet { font-weight: 400; }
.t-tag { color: var(--tag); }
.t-name { color: var(--name); }
.t-value { color: var(--value); }
.t-number { color: var(--number); }
.t-comment { color: var(--comment); font-style: italic; }
.t-head { font-weight: 650; }
@media (max-width: 40rem) {
  .page, .with-aside { padding-left: 1rem; padding-right: 1rem; } .page { padding-top: 1.3rem; } .with-aside main { padding-top: 1.3rem; }
  .top { padding: .5rem 1rem; } h1 { font-size: 1.45rem; } h1.route { font-size: 1.15rem; }
  .rows > li { padding: .6rem .8rem; } form.call { padding: .4rem .9rem 1rem; } .send { margin: .6rem -.9rem -1rem; padding: .7rem .9rem; } .tabs { gap: 0; } .tabs button { padding: .5rem .5rem; font-size: .92rem; } .tabs button:has(.verb) { padding: .5rem .35rem; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print { .top, .aside, .script, .send { display: none !important; } .page { display: block; } }
`;
