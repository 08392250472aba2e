import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const named = process.env["CHROMIUM"];
const places =
  named === undefined ? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"] : [named];

/** The path of the installed browser, or the path in the environment variable CHROMIUM. */
export const executable = places.find((place) => existsSync(place));

/**
 * Whether the tests in a browser are skipped, because no browser is installed. In continuous integration, tests fail
 * instead.
 */
export const isSkipped = executable === undefined && process.env["CI"] !== "true";

export function launch(): Promise<Browser> {
  if (executable === undefined) {
    throw new Error("There is no Chromium here: install the package chromium, or name it in CHROMIUM.");
  }
  return chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox", "--headless", "--disable-gpu", "--disable-background-networking"],
  });
}

/** A page and its problems: console messages, errors, dialogs, requests to other servers. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: string[];
}

export async function watchedPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // A browser requests an icon for documents that are not HTML.
    if (!message.location().url.endsWith("/favicon.ico")) {
      complaints.push(`${message.type()}: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("data:") && !url.startsWith(`${origin}/`)) {
      complaints.push(`request: ${url}`);
    }
  });
  return { page, complaints };
}

/** Saves a picture of the page, if an environment variable names a folder for pictures. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (folder !== undefined) {
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  }
}

/** Presses Tab through a page. Returns the focused elements in order, each with the width of its outline. */
export async function tabThrough(
  page: Page,
  max = 200,
): Promise<readonly { readonly name: string; readonly outline: number }[]> {
  const reached: { name: string; outline: number }[] = [];
  await page.evaluate(() => window.getSelection()?.removeAllRanges());
  for (let count = 0; count < max; count += 1) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body || element.dataset["reached"] === "yes") {
        return undefined;
      }
      element.dataset["reached"] = "yes";
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const name = element.id || element.getAttribute("href") || element.textContent || "";
      return { name: name.trim(), outline: outlineStyle === "none" ? 0 : Number.parseFloat(outlineWidth) };
    });
    if (focus === undefined) {
      break;
    }
    reached.push(focus);
  }
  return reached;
}

/** Returns the lowest contrast between a text on the page and its background (WCAG 2 §1.4.3). */
export function leastContrast(page: Page): Promise<{ readonly ratio: number; readonly text: string }> {
  return page.evaluate(() => {
    const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (color: string) => {
      const [r = 0, g = 0, b = 0] = channels(color)
        .map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element: Element | null): string => {
      if (element === null) {
        return "rgb(255, 255, 255)";
      }
      const color = getComputedStyle(element).backgroundColor;
      return channels(color)[3] === 0 ? behind(element.parentElement) : color;
    };
    let least = { ratio: 21, text: "" };
    for (const element of document.querySelectorAll("body *")) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== "");
      if (!hasText || !(element as HTMLElement).checkVisibility() || /^(SCRIPT|STYLE|OPTION)$/.test(element.tagName)) {
        continue;
      }
      const [lighter = 0, darker = 0] = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort(
        (a, b) => b - a,
      );
      const ratio = (lighter + 0.05) / (darker + 0.05);
      if (ratio < least.ratio) {
        least = { ratio, text: `${element.tagName} ${element.textContent?.slice(0, 40)}` };
      }
    }
    return least;
  });
}
