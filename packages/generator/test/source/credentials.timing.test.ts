import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { hideCredentials, withoutCredentials } from "../../src/source/document-addresses.js";

test.each(["//", "//a", "http:", "&#47;&#47;a", "\\u002f\\u002f", "//&#", "/", ":a@"])(
  "credentials are found in linear time among many %j",
  (piece) => {
    const text = piece.repeat(200_000);
    const started = processorTime();
    expect(withoutCredentials(text) + hideCredentials(text)).toHaveLength(2 * text.length);
    expect(processorTime() - started).toBeLessThan(2_000);
  },
);
