import { expect, test } from "vitest";
import { bundleProgram, programs } from "../src/areas/bundle.js";

// The maximum sizes in bytes, less than 1 % above the measured ones. Raise them only for code that is added on purpose.
const most: Readonly<Record<keyof typeof programs, number>> = {
  "one operation, SOAP 1.1": 14_580,
  "one operation, SOAP 1.2": 14_630,
  "one operation, HTTP GET": 13_270,
  "one endpoint, REST": 8_990,
  "SOAP client classes": 20_950,
  "REST client classes": 11_840,
};

const withoutPackages = /attachments|body-parts/.source;
const unusedTypes = /date-time|float|datatypes\/src\/pattern/.source;
/** The modules that are loaded only for unusual messages. */
const unusualMessages =
  /xml\/src\/(?:reader|decode|content|escape|name-char)|codec\/(?:decode|encode)|client-(?:unusual-messages|document|answer-reader)|soap\/client\/(?!extensions)|soap\/(?:fault|related)/
    .source;
/** The modules that are bundled only with descriptors that need them. */
const unusedKinds = /kinds\//.source;
const unusedParts = /soap\/client\/extensions|addressing|interface-settings/.source;
const oneSoapOperation = new RegExp(
  `/(server|rest|ws|protocol/http|transports/node)|${withoutPackages}|${unusedTypes}|${unusedKinds}|${unusedParts}|${unusualMessages}`,
);
const restWithoutXml =
  /^xml\/src\/(?:reader|decode)|^datatypes|route-syntax|path-pattern|\/(server|codec|protocol\/soap|transports\/node)|body-parts/;

/** The modules that a program must not load at startup, as paths below `packages`. */
const excluded: Readonly<Record<keyof typeof programs, RegExp>> = {
  "one operation, SOAP 1.1": oneSoapOperation,
  "one operation, SOAP 1.2": oneSoapOperation,
  "one operation, HTTP GET": new RegExp(
    `/(server|rest|ws|transports/node)|encode|envelope|${withoutPackages}|${unusedTypes}|/kinds/|${unusedParts}|${unusualMessages}`,
  ),
  "one endpoint, REST": restWithoutXml,
  "SOAP client classes": new RegExp(`/(server|rest|ws|transports/node)|${withoutPackages}`),
  "REST client classes": restWithoutXml,
};

test.each(Object.entries(programs) as [keyof typeof programs, string][])(
  "a program with %s is within its size, and contains no module that it does not need",
  async (name, program) => {
    const { bytes, modules } = await bundleProgram(program);
    expect(modules.filter((path) => excluded[name].test(path))).toEqual([]);
    expect(bytes).toBeLessThan(most[name]);
    // Without this check, a program that imports nothing would also pass.
    expect(bytes).toBeGreaterThan(most[name] / 2);
  },
);
