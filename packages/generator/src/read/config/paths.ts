import type { ConfigText, Shape } from "./shape.js";

// What file systems can hold. What is written there is bounded by `pathChars` and `pathSegment`.
const maxPath = 4_000;
const maxStep = 240;

/** A path of the configuration, relative to the root and normalised; undefined where it is none, and then reported. */
export function readPath(shape: Shape, text: ConfigText, folder: string): string | undefined {
  const problem = pathProblem(text.text);
  const path = problem === undefined ? joinPath(folder, text.text) : undefined;
  if (path === "") {
    shape.diagnostics.error("CFG006", text.span, {
      message: `The path "${text.text.slice(0, 200)}" is the root itself.`,
      help: "Name something below it.",
    });
    return undefined;
  }
  if (path !== undefined && path.length <= maxPath) {
    return path;
  }
  const why = problem ?? (path === undefined ? "leaves the root" : `has more than ${maxPath} characters`);
  shape.diagnostics.error("CFG006", text.span, {
    message: `The path "${text.text.slice(0, 200)}" ${why}.`,
    help: path === undefined && problem === undefined ? "--root names a folder that holds all documents." : undefined,
  });
  return undefined;
}

/** What keeps a text from being a relative path that every file system can hold; undefined: nothing. */
function pathProblem(path: string): string | undefined {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) {
    return "is not relative";
  }
  if (path.startsWith("/") || path.includes("\\")) {
    return "must be relative, with / between its steps";
  }
  const step = path.split("/").find((each) => each.length > maxStep || (!/^\.{0,2}$/.test(each) && !isPortable(each)));
  return step === undefined ? undefined : `has a step that not every file system can hold: "${step.slice(0, maxStep)}"`;
}

/** Whether a file or folder may bear the name on Windows too. */
export function isPortable(step: string): boolean {
  return (
    !/[<>:"|?*\p{Cc}]/u.test(step) && !/[. ]$/.test(step) && !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(step)
  );
}

function joinPath(folder: string, path: string): string | undefined {
  const steps: string[] = [];
  for (const step of `${folder}/${path}`.split("/")) {
    if (step === "" || step === ".") {
      continue;
    }
    if (step !== "..") {
      steps.push(step);
    } else if (steps.pop() === undefined) {
      return undefined;
    }
  }
  return steps.join("/");
}
