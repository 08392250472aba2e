import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { isSkipped, keepPicture, launch, leastContrast, tabThrough, type WatchedPage, watchedPage } from "./browser.js";
import { hostile, hostileRoutes } from "./hostile.js";

const protocols = ["SOAP 1.1", "SOAP 1.2", "HTTP GET", "HTTP POST"] as const;
const blocks = "/core/v2/blocks";
const block = "/core/v2/blocks/(?P<id>[\\d]+)";

if (isSkipped) {
  console.warn("Chromium is not installed: the pages for people are not opened here");
}

describe.skipIf(isSkipped)("in a browser", () => {
  let server: RunningServer;
  let browser: Browser;
  let watched: WatchedPage;

  beforeAll(async () => {
    const site = { name: "Sample site", description: "Content with two languages" };
    const routes = [vehicleRoutes(vehicleSample), contentRoutes(createContentSample(), site), ...hostileRoutes];
    server = await listen(routes, { port: 0, host: "127.0.0.1" });
    browser = await launch();
    watched = await watchedPage(browser, server.url);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => {
    expect(watched?.complaints.splice(0)).toEqual([]);
  });

  async function open(path: string): Promise<Page> {
    await watched.page.goto(server.url + path);
    return watched.page;
  }

  /** Returns the texts of the last answer below an element. */
  async function answerOf(page: Page, within = "main") {
    await page.locator(`${within} .status.good, ${within} .status.bad`).first().waitFor();
    const textOf = async (selector: string) => {
      const found = page.locator(`${within} [data-results] ${selector}`);
      return (await found.count()) === 0 ? "" : ((await found.first().textContent()) ?? "");
    };
    const shown = page.locator(`${within} .status.good, ${within} .status.bad`);
    return {
      status: (await shown.first().textContent()) ?? "",
      headers: await textOf("[data-headers]"),
      body: await textOf("[data-body]"),
      sent: await textOf("[data-sent]"),
    };
  }

  const routePage = (key: string, base = "/en/api") => `${base}/_browse?route=${encodeURIComponent(key)}`;

  describe("the pages of a service", () => {
    test("a person with a keyboard finds an operation, calls it and reads the answer", async () => {
      const page = await open("/api/reg.asmx");
      await page.keyboard.press("/");
      expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Search operations");
      await page.keyboard.type("the usa");
      expect(await page.locator("li:visible").count()).toBe(1);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/api/reg.asmx?op=CheckUSA");
      await page.getByRole("tab", { name: "SOAP 1.1" }).focus();
      await page.keyboard.press("Tab");
      await page.keyboard.type("ABC123");
      await page.keyboard.press("Tab");
      await page.keyboard.type("NY");
      await page.keyboard.press("Enter");
      const { status, body } = await answerOf(page);
      expect(status).toMatch(/^200 OK · \d+ ms · ([\d,]+ bytes|[\d.]+ KB)$/);
      expect(body).toContain("\n          <Description>CheckUSA ABC123</Description>\n");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("field-1");
    });

    test.each(protocols)("a call over %s shows status, time and answer", async (protocol) => {
      const page = await open("/api/reg.asmx?op=CheckUSA");
      await page.getByRole("tab", { name: protocol }).click();
      await page.getByLabel("RegistrationNumber").fill(`<A> & "é" '€' ]]>+%`);
      await page.getByLabel("State").fill("NY");
      await page.getByLabel("username").fill("demo");
      await page.getByRole("button", { name: "Send" }).click();
      const { status, body, sent, headers } = await answerOf(page);
      expect(status).toMatch(/^200 OK · \d+ ms/);
      expect(body).toContain(`<Description>CheckUSA &lt;A&gt; &amp; "é" '€' ]]&gt;+%</Description>`);
      const at = `/api/reg.asmx${protocol.startsWith("HTTP") ? "/CheckUSA" : ""}`;
      expect(sent.split(/[ ?\n]/).slice(0, 2)).toEqual([protocol === "HTTP GET" ? "GET" : "POST", at]);
      expect(headers).toContain(`content-type: ${protocol === "SOAP 1.2" ? "application/soap+xml" : "text/xml"}`);
    });

    test.each([
      { protocol: "SOAP 1.1", status: "500 Internal Server Error", body: "<faultcode>soap:Client</faultcode>" },
      { protocol: "HTTP GET", status: "500 Internal Server Error", body: "Cannot convert a parameter" },
    ])("errors over $protocol are shown", async ({ protocol, status, body }) => {
      const page = await open("/api/reg.asmx?op=CheckAustria");
      await page.getByRole("tab", { name: protocol }).click();
      await page.getByLabel("NatCode").fill("none");
      await page.getByRole("button", { name: "Send" }).click();
      const answer = await answerOf(page);
      expect(answer.status).toContain(status);
      expect(answer.body).toContain(body);
      // The browser logs every status of 400 or above as an error.
      expect(watched.complaints.splice(0)).toEqual([expect.stringContaining("500 (Internal Server Error)")]);
    });

    test("a call without an answer is reported as such", async () => {
      const page = await open("/api/reg.asmx?op=CheckUSA");
      await page.route("**/api/reg.asmx", (route) => route.abort("connectionrefused"));
      await page.getByRole("button", { name: "Send" }).click();
      expect((await answerOf(page)).status).toMatch(/^The call failed: /);
      await page.unrouteAll();
      expect(watched.complaints.splice(0)).toEqual([expect.stringContaining("ERR_CONNECTION_REFUSED")]);
    });

    test("the message contains the lists, records and header blocks of the form", async () => {
      const page = await open("/orders?op=Order");
      expect(await page.getByLabel("Colour").inputValue()).toBe("red");
      await page.getByLabel("Colour").selectOption(hostile);
      await page.getByLabel("Tag").fill("one & two\nthree");
      await page.getByLabel("Note").fill("");
      await page.getByLabel("Login").fill('<Login xmlns="urn:orders"><Sku>me</Sku></Login>');
      expect(await page.getByLabel("Line Line, XML").inputValue()).toBe("<Line>\n  <Sku>string</Sku>\n</Line>");
      await page.getByRole("button", { name: "Send" }).click();
      const { body } = await answerOf(page);
      const said = JSON.parse(/<Said>(.*)<\/Said>/s.exec(body)?.[1]?.replace(/&lt;/g, "<").replace(/&gt;/g, ">") ?? "");
      expect(said).toEqual({
        Colour: hostile,
        Tag: ["one & two".replace("&", "&amp;"), "three"],
        Line: { Sku: "string" },
        headers: { Login: { Sku: "me" } },
        hostile,
      });
    });

    test("without scripts the form calls over HTTP GET", async () => {
      const { page, complaints } = await watchedPage(browser, server.url, { javaScriptEnabled: false });
      await page.goto(`${server.url}/api/reg.asmx?op=CheckUSA`);
      await page.getByLabel("RegistrationNumber").fill("ABC123");
      await page.getByRole("button", { name: "Send" }).click();
      await page.waitForURL("**/api/reg.asmx/CheckUSA?RegistrationNumber=ABC123&State=string&username=string");
      expect(await page.content()).toContain("CheckUSA ABC123");
      await page.context().close();
      expect(complaints).toEqual([]);
    });
  });

  describe("the pages of an index", () => {
    test("a person with a keyboard finds a route, calls it and reads the answer", async () => {
      const page = await open("/en/api/_browse");
      await page.keyboard.press("/");
      await page.keyboard.type("get v2/blocks per_page");
      expect(await page.locator("li:visible").allTextContents()).toEqual([
        expect.stringMatching(/^GET\s+\/core\/v2\/blocks\n/),
      ]);
      await page.keyboard.press("Enter");
      await page.waitForURL("**/en/api/_browse?route=**#get");
      await page.locator("#call-0").getByLabel("per_page").fill("2");
      await page.locator("#call-0").getByLabel("trash").check();
      await page.locator("#call-0").getByLabel("publish").press("Space");
      await page.locator("#call-0").getByLabel("per_page").press("Enter");
      const { status, headers, body, sent } = await answerOf(page, "#endpoint-0");
      expect(status).toMatch(/^200 OK · \d+ ms/);
      expect(sent).toContain(
        "GET /en/api/core/v2/blocks?per_page=2&status%5B%5D=publish&status%5B%5D=trash HTTP/1.1\n",
      );
      expect(headers).toContain("x-wp-total: 3");
      expect(JSON.parse(body)).toHaveLength(2);
      expect(body).toMatch(/^\[\n {2}\{\n {4}"/);
    });

    test("filled-in fields are sent in the body of a call that writes", async () => {
      const page = await open(`${routePage(blocks)}#post`);
      const form = page.locator("#call-1");
      await form.getByLabel("title").fill('{"raw": "<New> & 1.50"}');
      await form.getByLabel("content").fill("plain");
      await form.getByLabel("status").selectOption("draft");
      await form.getByRole("button", { name: "Send" }).click();
      const { status, sent, body } = await answerOf(page, "#endpoint-1");
      expect(status).toMatch(/^201 Created/);
      expect(JSON.parse(sent.slice(sent.indexOf("\n\n")))).toEqual({
        status: "draft",
        title: { raw: "<New> & 1.50" },
        content: "plain",
      });
      expect(JSON.parse(body)).toMatchObject({ status: "draft" });
    });

    test.each([
      { base: "/pt-pt/api", start: "/pt-pt/api/core/v2/blocks/29" },
      { base: "/?lang=pt-pt&rest_route=", start: "/?lang=pt-pt&rest_route=/core/v2/blocks/29" },
    ])("variables go into the path, and methods can be chosen, below $base", async ({ base, start }) => {
      const path = base.startsWith("/?")
        ? `${base}/_browse&route=${encodeURIComponent(block)}`
        : routePage(block, base);
      const page = await open(path);
      await page.getByRole("link", { name: "Sample site" }).click();
      await page.getByRole("link", { name: "/core/v2/blocks/{id}", exact: true }).first().click();
      await page.getByRole("tab", { name: "PATCH" }).click();
      const form = page.locator("#call-1");
      await form.getByLabel("id").fill("29");
      await form.getByLabel("Method").selectOption("PATCH");
      await form.getByLabel("slug").fill("a-slug");
      await form.getByRole("button", { name: "Send" }).click();
      const { status, sent } = await answerOf(page, "#endpoint-1");
      expect(status).toMatch(/^200 OK/);
      expect(sent).toMatch(/^PATCH /);
      expect(sent.split("\n")[0]).toBe(`PATCH ${start} HTTP/1.1`);
      expect(sent).toContain('{\n  "slug": "a-slug"\n}');
    });

    test("errors are shown, and credentials are sent", async () => {
      const page = await open(`${routePage(block)}#delete`);
      await page.getByText("Authorization").click();
      await page.getByLabel("Scheme").selectOption("basic");
      await page.getByLabel("User name").fill("é");
      await page.getByLabel("Password", { exact: true }).fill("secret");
      await page.locator("#call-2").getByLabel("id").fill("4711");
      await page.locator("#call-2").getByLabel("force").selectOption("true");
      await page.locator("#call-2").getByRole("button", { name: "Send" }).click();
      const { status, body, sent } = await answerOf(page, "#endpoint-2");
      expect(status).toMatch(/^404 /);
      expect(JSON.parse(body)).toMatchObject({ data: { status: 404 } });
      expect(sent).toContain("DELETE /en/api/core/v2/blocks/4711?force=true HTTP/1.1\n");
      expect(sent).toContain("Authorization: Basic …");
      expect(watched.complaints.splice(0)).toEqual([expect.stringContaining("404")]);
    });

    test("required members are checked before anything is sent", async () => {
      const page = await open(routePage(block));
      await page.locator("#call-0").getByRole("button", { name: "Send" }).click();
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("e0-p0");
      expect(await page.locator("#call-0 .status").textContent()).toBe("");
    });

    test("a file is sent unchanged", async () => {
      const page = await open(`${routePage("/core/v2/media")}#post`);
      const form = page.locator("#call-1");
      await form.getByText("Upload a file").click();
      await form
        .getByLabel("File")
        .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from([1, 2, 3]) });
      await form.getByLabel("slug").fill("s");
      await form.getByRole("button", { name: "Send" }).click();
      const { status, sent } = await answerOf(page, "#endpoint-1");
      expect(status).toMatch(/^201 /);
      expect(sent).toContain("POST /en/api/core/v2/media?slug=s HTTP/1.1\n");
      expect(sent).toContain('Content-Disposition: attachment; filename="a.png"');
      expect(sent).toContain("\n\n(3 bytes)");
    });
  });

  const all = [
    { name: "site", path: "/" },
    { name: "service", path: "/api/reg.asmx" },
    { name: "operation", path: "/api/reg.asmx?op=CheckUSA" },
    { name: "index", path: "/en/api/_browse" },
    { name: "route", path: routePage(blocks) },
  ];

  test.each(all)(
    "the page of a $name is reached by keyboard from top to bottom, with a visible focus",
    async ({ path }) => {
      const page = await open(path);
      const reached = await tabThrough(page);
      expect(reached[0]?.name).toBe("#content");
      const expected = await page
        .locator(
          "a:visible, button:not([tabindex='-1']):visible, input:visible, select:visible, textarea:visible, summary:visible, pre:visible",
        )
        .count();
      expect(reached).toHaveLength(expected);
      expect(reached.filter(({ outline }) => outline < 2)).toEqual([]);
    },
  );

  test.each(all)("the page of a $name can be read in light and in dark", async ({ name, path }) => {
    const papers: string[] = [];
    const page = await open(path);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      papers.push(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor));
      const { ratio, text } = await leastContrast(page);
      expect(ratio, text).toBeGreaterThan(4.5);
      await keepPicture(page, `${name}-${colorScheme}`);
    }
    expect(papers).toEqual(["rgb(251, 251, 249)", "rgb(18, 22, 21)"]);
  });

  test.each(all)("the page of a $name fits a screen of 390 pixels, and of 320", async ({ name, path }) => {
    const page = await open(path);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    );
    await page.setViewportSize({ width: 390, height: 844 });
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wider).toBe(0);
    await keepPicture(page, `${name}-narrow`);
    await page.setViewportSize({ width: 1200, height: 900 });
  });

  test.each([
    "/orders",
    "/orders?op=Order",
    `/orders?op=${encodeURIComponent(hostile)}`,
    "/hostile/_browse",
    routePage(`/${hostile}`, "/hostile"),
    routePage("/", "/hostile"),
    routePage(hostile, "/hostile"),
  ])("no text of a schema or a query runs as a script: %s", async (path) => {
    const page = await open(path);
    expect(await page.locator("body").textContent()).toContain(hostile.slice(0, 20));
    expect(await page.locator("img, svg:not(.mark), svg[onload], script:not(:last-child):not(#settings)").count()).toBe(
      0,
    );
    if (path.includes(encodeURIComponent(hostile)) && !path.includes(encodeURIComponent(`/${hostile}`))) {
      expect(watched.complaints.splice(0)).toEqual([expect.stringContaining("404 (Not Found)")]);
    }
    if (path === "/orders?op=Order") {
      await page.getByLabel("Tag").fill("one");
      await page.getByRole("button", { name: "Send" }).click();
      expect((await answerOf(page)).body).toContain("onerror");
    }
  });
});
