import { bundleOf, programs } from "../bundles.js";
import type { Group, Subject } from "../subject.js";

/** Programs for the browser. */
export const bundle = (): readonly Group[] => [
  {
    title: "Bundle, minified, gzip",
    unit: "KB",
    exact: true,
    subjects: Object.entries(programs).map(
      ([name, program]): Subject => ({ name, measure: async () => ({ cost: (await bundleOf(program)).bytes / 1000 }) }),
    ),
  },
];
