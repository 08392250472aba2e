import { expect, test } from "vitest";
import { html, renderDataBlock, trustedHtml } from "../../src/pages/page.js";

test.each([
  { given: "a < b & c > d", want: "a &lt; b &amp; c &gt; d" },
  { given: `"it's"`, want: "&quot;it&#39;s&quot;" },
  { given: "a\u0000b\u001b\u0085", want: "a\uFFFDb\uFFFD\uFFFD" },
  { given: "\ud800x\udc00", want: "\uFFFDx\uFFFD" },
  { given: "tab\tline\n😀", want: "tab\tline\n😀" },
])("$given is escaped as text", ({ given, want }) => {
  expect(html`<p title="${given}">${given}</p>`.markup).toBe(`<p title="${want}">${want}</p>`);
});

test("markup, lists, numbers and absent values are written unchanged", () => {
  const items = ["<", "b"].map((item) => html`<li>${item}</li>`);
  expect(html`${items}${1}${undefined}${false}${trustedHtml("<hr>")}${[]}`.markup).toBe("<li>&lt;</li><li>b</li>1<hr>");
});

test("data for a script cannot end its block", () => {
  const value = { text: "</script><script>alert(1)</script><!--\u2028&amp;" };
  const { markup } = renderDataBlock("settings", value);
  const [, inside = ""] =
    /^<script type="application\/json" id="settings">([^<>&\u2028]*)<\/script>$/.exec(markup) ?? [];
  expect(JSON.parse(inside)).toEqual(value);
});
