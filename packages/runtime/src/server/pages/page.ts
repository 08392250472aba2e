import type { HeaderLine, ServerAnswer } from "../types.js";
import { type Content, dataBlock, html, trusted } from "./html.js";
import { style } from "./style.js";

/** One page for people. */
export interface Page {
  readonly title: string;
  /** Where the page stands: links back, before the heading. */
  readonly trail?: readonly Content[];
  readonly content: Content;
  /** Our own code, a constant, for the whole page. */
  readonly script: string;
  /** What the script works with. */
  readonly facts?: unknown;
}

/** The page with everything it needs in it: it loads nothing, and a browser runs only the script that is ours. */
export async function pageAnswer(page: Page, headers: readonly HeaderLine[] = []): Promise<ServerAnswer> {
  const body = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
${trailOf(page.trail ?? [])}
<main id="content" tabindex="-1">
${page.content}
</main>
${page.facts !== undefined && dataBlock("facts", page.facts)}
<script>${trusted(page.script)}</script>
</body>
</html>
`;
  return {
    status: 200,
    headers: [
      ["Content-Type", "text/html; charset=utf-8"],
      ["Cache-Control", "private, max-age=0"],
      ["Content-Security-Policy", await policy(page.script)],
      ["X-Content-Type-Options", "nosniff"],
      ["Referrer-Policy", "no-referrer"],
      ...headers,
    ],
    body: body.markup,
  };
}

function trailOf(trail: readonly Content[]): Content {
  if (trail.length === 0) return undefined;
  return html`<nav aria-label="Where you are"><ul>${trail.map((item) => html`<li>${item}</li>`)}</ul></nav>`;
}

/** Nothing but the one script and the one style, by their hashes, and calls to the page's own server (CSP Level 3 §6.7.3.3). */
async function policy(script: string): Promise<string> {
  const [scriptHash, styleHash] = await Promise.all([hashOf(script), hashOf(style)]);
  return [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    "img-src data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
