import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { protocols } from "../../src/sample/lookups.js";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { isSkipped, launch, watchedPage } from "./browser.js";

const operation = "/api/reg.asmx?op=CheckUSA";
const block = `/en/api/_browse?route=${encodeURIComponent("/core/v2/blocks/(?P<id>[\\d]+)")}`;

describe.skipIf(isSkipped)("the console of an operation", () => {
  let server: RunningServer;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const routes = [vehicleRoutes(vehicleSample), contentRoutes(createContentSample(), { name: "Sample site" })];
    server = await listen(routes, { port: 0, host: "127.0.0.1" });
    browser = await launch();
    ({ page, complaints } = await watchedPage(browser, server.url, {
      permissions: ["clipboard-read", "clipboard-write"],
    }));
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    expect(complaints).toEqual([]);
  });

  /** Reloads a page, even if only the hash differs. */
  async function open(path: string): Promise<void> {
    await page.goto("about:blank");
    await page.goto(server.url + path);
  }

  async function copied(button: string): Promise<string> {
    await page.locator("[data-request] .done").evaluateAll((all) => {
      for (const each of all) {
        each.textContent = "";
      }
    });
    await page.locator("[data-request]:visible").getByRole("button", { name: button, exact: true }).click();
    await page.locator("[data-request]:visible .done", { hasText: "Copied" }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  }

  const request = () => page.locator("[data-request]:visible pre").textContent();
  const notice = () => page.locator("[data-request]:visible .done").textContent();
  const chosenTab = () => page.locator("[role=tab][aria-selected=true]").textContent();

  async function send(): Promise<void> {
    const answers = page.locator("[data-results]:visible > details");
    const before = await answers.count();
    await page.locator("button[type=submit]:visible").click();
    await expect.poll(() => answers.count()).toBe(Math.min(5, before + 1));
  }

  describe("tabs", () => {
    test("follow the arrow keys, Home and End, and only one is in the order of Tab", async () => {
      await open(operation);
      await page.getByRole("tab", { name: "SOAP 1.1" }).focus();
      const steps = [
        ["ArrowRight", "SOAP 1.2"],
        ["End", "HTTP POST"],
        ["ArrowRight", "SOAP 1.1"],
        ["ArrowLeft", "HTTP POST"],
        ["Home", "SOAP 1.1"],
      ] as const;
      for (const [key, name] of steps) {
        await page.keyboard.press(key);
        expect(await chosenTab()).toBe(name);
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
        expect(await page.locator("[role=tab][tabindex='-1']").count()).toBe(3);
        const panels = page.locator("[role=tabpanel]:visible");
        expect(await panels.count()).toBe(1);
        expect(await panels.getAttribute("aria-labelledby")).toBe(await page.locator(":focus").getAttribute("id"));
      }
    });

    test.each([
      { path: `${operation}#httpGet`, tab: "HTTP GET", line: /^GET \/api\/reg\.asmx\/CheckUSA\?/ },
      { path: `${operation}#soap12`, tab: "SOAP 1.2", line: /^POST \/api\/reg\.asmx HTTP\/1\.1\n/ },
      { path: `${operation}#none`, tab: "SOAP 1.1", line: /^POST / },
      { path: `${block}#delete`, tab: "DELETE ", line: /^DELETE \/en\/api\/core\/v2\/blocks\/\{id\} / },
      { path: `${block}#get`, tab: "GET ", line: /^GET \/en\/api\/core\/v2\/blocks\/\{id\} / },
    ])("are chosen by the hash: $path", async ({ path, tab, line }) => {
      await open(path);
      expect(await chosenTab()).toBe(tab);
      expect(await request()).toMatch(line);
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
    });

    test("write the hash, and the next operation has the same protocol", async () => {
      await open(operation);
      await page.getByRole("tab", { name: "SOAP 1.2" }).click();
      expect(new URL(page.url()).hash).toBe("#soap12");
      await page.getByRole("link", { name: "CheckPeru" }).click();
      await page.waitForURL("**?op=CheckPeru#soap12");
      expect(await chosenTab()).toBe("SOAP 1.2");
    });
  });

  describe("the request", () => {
    test("follows the user's input, and escapes it", async () => {
      await open(operation);
      await page.getByLabel("State").fill("<N&Y>");
      expect(await request()).toContain("<State>&#60;N&#38;Y&#62;</State>");
      await page.getByRole("tab", { name: "HTTP POST" }).click();
      expect(await request()).toContain("State=%3CN%26Y%3E");
    });

    test.each(protocols)("over %s is the one that the server rendered, until the user types", async (protocol) => {
      const { page: unscripted } = await watchedPage(browser, server.url, { javaScriptEnabled: false });
      await unscripted.goto(server.url + operation);
      const rendered = await unscripted.locator(`#${protocol}-panel [data-request] pre`).textContent();
      await unscripted.context().close();
      await open(`${operation}#${protocol}`);
      expect(await request()).toBe(rendered);
    });

    test("matches the sent request, and Copy copies it", async () => {
      await open(operation);
      const shown = await request();
      expect(await copied("Copy")).toBe(shown);
      await send();
      expect(await page.locator("[data-sent]").textContent()).toBe(shown);
    });

    test("is colored by text nodes in spans", async () => {
      await open(operation);
      const code = page.locator("[data-request]:visible pre");
      expect(await code.locator(".t-tag").first().textContent()).toBe("<soap:Envelope");
      expect(await code.locator("*:not(span)").count()).toBe(0);
    });

    test("is copied as a command for curl", async () => {
      await open(operation);
      await page.getByLabel("State").fill("it's");
      const command = await copied("Copy as curl");
      expect(command).toMatch(
        /^curl 'http:\/\/127\.0\.0\.1:\d+\/api\/reg\.asmx' \\\n {2}--header 'Content-Type: text\/xml/,
      );
      expect(command).toContain("<State>it'\\''s</State>");
      expect(await notice()).toBe("Copied.");
    });

    test("is copied without credentials, and the page says so", async () => {
      await open(`${block}#delete`);
      await page.getByText("Authorization").click();
      await page.getByLabel("Scheme").selectOption("basic");
      await page.getByLabel("User name").fill("me");
      await page.getByLabel("Password", { exact: true }).fill("hidden-word");
      expect(await page.locator("#authorized").textContent()).toBe("user name and password");
      expect(await copied("Copy as curl")).toMatch(/--request DELETE[\s\S]*--user 'me'/);
      expect(await notice()).toBe("Copied without the password: curl asks for it.");
      expect(await copied("Copy")).toContain("Authorization: Basic …");
      expect(await notice()).toBe("Copied without the credentials.");
      await page.getByLabel("Scheme").selectOption("bearer");
      await page.getByLabel("Token").fill("hidden-word");
      expect(await copied("Copy as curl")).toContain('--header "Authorization: Bearer $TOKEN"');
      expect(await page.locator("main").textContent()).not.toContain("hidden-word");
    });

    test("has the credentials when it is sent", async () => {
      await open(operation);
      await page.getByText("Authorization").click();
      await page.getByLabel("Scheme").selectOption("bearer");
      await page.getByLabel("Token").fill("t");
      const sent = page.waitForRequest("**/api/reg.asmx");
      await send();
      expect((await sent).headers()["authorization"]).toBe("Bearer t");
    });

    test("is sent with Ctrl+Enter", async () => {
      await open(operation);
      await page.getByLabel("State").focus();
      await page.keyboard.press("Control+Enter");
      await expect.poll(() => page.locator("[data-results]:visible > details").count()).toBe(1);
    });
  });

  describe("answers", () => {
    test("have status, time, size and headers; earlier ones are collapsed, and five are kept", async () => {
      await open(operation);
      for (let count = 0; count < 7; count += 1) {
        await send();
      }
      const answers = page.locator("[data-results]:visible > details");
      expect(await answers.evaluateAll((all) => all.map((each) => each.hasAttribute("open")))).toEqual([
        true,
        false,
        false,
        false,
        false,
      ]);
      expect(await answers.first().locator("> summary").textContent()).toMatch(/^200 OK · \d+ ms · \d+ bytes$/);
      const headers = answers.first().locator("details").first();
      expect(await headers.locator("summary").textContent()).toMatch(/^Response headers \(\d+\)$/);
      expect(await headers.locator("pre").isVisible()).toBe(false);
      expect(await headers.locator("pre").textContent()).toContain("content-type: text/xml");
    });

    test.each([
      { what: "XML", type: "text/xml", body: `<a>${"<b>c</b>".repeat(60_000)}</a>` },
      { what: "JSON", type: "application/json", body: JSON.stringify(Array(60_000).fill("text")) },
      { what: "text", type: "text/plain", body: "x".repeat(500_000) },
    ])("with too many $what are cut, with a note", async ({ type, body }) => {
      await open(operation);
      await page.route("**/api/reg.asmx", (route) => route.fulfill({ contentType: type, body }));
      await send();
      await page.unrouteAll();
      expect(await page.locator(".cut").textContent()).toMatch(
        /^The first 200,000 of [\d,]+ characters are shown\. Copy copies all\.$/,
      );
      expect((await page.locator("[data-body]").textContent())?.length).toBe(200_000);
    });

    test.each([
      '<img src=x onerror="alert(1)">',
      "</pre><script>alert(1)</script>",
      '{"a":"<svg onload=alert(1)>"}',
      "<a b=\"'><script>alert(1)</script>",
    ])("that contain %s are shown as text", async (body) => {
      await open(operation);
      for (const contentType of ["text/xml", "application/json", "text/html"]) {
        await page.route("**/api/reg.asmx", (route) => route.fulfill({ contentType, body }));
        await send();
        await page.unrouteAll();
        const shown = page.locator("[data-body]").first();
        expect((await shown.textContent())?.replace(/\s/g, "")).toBe(body.replace(/\s/g, ""));
        expect(await shown.locator("*:not(span)").count()).toBe(0);
      }
    });

    test("an example is collapsed until the user opens it", async () => {
      await open(operation);
      const example = page.locator("[role=tabpanel]:visible > details");
      expect(await example.locator("pre").isVisible()).toBe(false);
      await example.locator("summary").click();
      expect(await example.locator("pre").textContent()).toContain("<CheckUSAResult>");
    });
  });

  test("without scripts, the messages of all protocols can be read, and nothing that needs scripts is shown", async () => {
    const { page: unscripted } = await watchedPage(browser, server.url, { javaScriptEnabled: false });
    await unscripted.goto(server.url + operation);
    expect(await unscripted.locator("[data-request] pre:visible").count()).toBe(4);
    expect(await unscripted.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "SOAP 1.1",
      "SOAP 1.2",
      "HTTP GET",
      "HTTP POST",
    ]);
    expect(await unscripted.locator("[role=tab]:visible, [data-copy]:visible, #search:visible").count()).toBe(0);
    await unscripted.goto(server.url + block);
    expect(await unscripted.locator("form.call:visible").count()).toBe(3);
    await unscripted.context().close();
  });

  describe("the search", () => {
    test("finds operations, shows their number, and supports the arrow keys", async () => {
      await open("/api/reg.asmx");
      await page.keyboard.press("/");
      await page.keyboard.type("check ma");
      expect(await page.locator("#found").textContent()).toBe("2 of 11 operations");
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      await page.keyboard.press("ArrowDown");
      expect(await focused()).toBe("CheckMalta");
      await page.keyboard.press("ArrowDown");
      expect(await focused()).toBe("CheckGermany");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.type("x");
      expect(await page.locator("#found").textContent()).toBe("No match");
      expect(await page.locator("li:visible").count()).toBe(0);
      await page.keyboard.press("Escape");
      expect(await page.locator("#found").textContent()).toBe("11 operations");
    });

    test("on an operation's page marks the operation; a slash typed in a field stays there", async () => {
      await open(operation);
      expect(await page.locator("[aria-current=page]").textContent()).toBe("CheckUSA");
      await page.getByLabel("State").fill("");
      await page.getByLabel("State").press("/");
      expect(await page.getByLabel("State").inputValue()).toBe("/");
    });
  });

  test("nothing moves for users who prefer reduced motion", async () => {
    const { page: calm } = await watchedPage(browser, server.url, { reducedMotion: "reduce" });
    await calm.goto(server.url + operation);
    expect(await calm.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe("auto");
    await calm.context().close();
  });

  test("a narrow page links to all operations, which a wide one lists beside the content", async () => {
    const { page: narrow } = await watchedPage(browser, server.url, { viewport: { width: 390, height: 844 } });
    await narrow.goto(server.url + operation);
    await narrow.getByRole("link", { name: "All operations" }).click();
    expect(await narrow.getByRole("heading", { level: 1 }).textContent()).toBe("Reg");
    await narrow.context().close();
    await open(operation);
    expect(await page.getByRole("link", { name: "All operations" }).count()).toBe(0);
    expect(await page.getByRole("navigation", { name: "Operations" }).isVisible()).toBe(true);
  });

  test("links lead to the namespaces of an index", async () => {
    await open("/en/api/_browse");
    const links = page.getByRole("navigation", { name: "Namespaces" }).getByRole("link");
    const headings = page.locator("section h2");
    expect(await links.count()).toBe(await headings.count());
    await links.last().click();
    await expect.poll(() => headings.last().evaluate((each) => each.getBoundingClientRect().top)).toBeLessThan(900);
  });

  test("DELETE is marked, in the list and on its button", async () => {
    await open("/en/api/_browse");
    const colorOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    const colors = await Promise.all([".verb.get", ".verb.post", ".verb.patch", ".verb.delete"].map(colorOf));
    expect(new Set(colors).size).toBe(4);
    const lefts = await page
      .locator("li .verb")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
    expect(new Set(lefts).size).toBe(1);
    await open(`${block}#delete`);
    expect(await colorOf("button[type=submit]:visible")).toBe(colors[3]);
  });
});
