import { commandLinePath, type Interface, type SettingPosition, type Span } from "@bothends/generator";
import type { RuleId } from "../rules/index.js";
import type { Difference } from "./difference.js";

/**
 * Returns the position of an interface in the configuration; undefined if all its settings come from the command line.
 */
export function getConfiguredSpan({ configured }: Interface): Span | undefined {
  return configured?.span.source.path === commandLinePath ? undefined : configured?.span;
}

/**
 * Returns the positions of the first setting or value that only one version has inside of a setting. For the version
 * that lacks it, returns the position of the innermost setting that would contain it, or else that of the interface.
 */
export function findSettingSpans(
  [before, after]: readonly [Interface, Interface],
  path: readonly string[],
): readonly [old: Span | undefined, new: Span | undefined] {
  const [oldSettings, newSettings] = [listSettingsIn(before, path), listSettingsIn(after, path)];
  const findOther = (settings: readonly SettingPosition[], others: readonly SettingPosition[]) => {
    const keys = new Set(others.map(formatPath));
    return settings.find((setting) => !keys.has(formatPath(setting)));
  };
  const findMoved = (settings: readonly SettingPosition[], others: readonly SettingPosition[]) =>
    settings.find((setting, index) => formatPath(setting) !== formatPath(others[index]));
  const [oldSetting, newSetting] = [findOther(oldSettings, newSettings), findOther(newSettings, oldSettings)];
  if (oldSetting === undefined && newSetting === undefined) {
    return [
      findMoved(oldSettings, newSettings)?.span ?? getSettingSpan(before, path),
      findMoved(newSettings, oldSettings)?.span ?? getSettingSpan(after, path),
    ];
  }
  return [
    oldSetting?.span ?? getSettingSpan(before, newSetting?.path ?? path),
    newSetting?.span ?? getSettingSpan(after, oldSetting?.path ?? path),
  ];
}

/** The settings that can cause a difference, by its rule. */
const causes: Readonly<Partial<Record<RuleId, string>>> = {
  "name-in-code-changed": "names",
  "operation-added": "operations",
  "operation-removed": "operations",
  "route-added": "routes",
  "route-removed": "routes",
  "type-in-code-changed": "typeMap",
  "type-renamed": "names",
};

/** Gives differences that a changed setting causes the positions of this setting. */
export function locateSettings<D extends Difference>(
  differences: readonly D[],
  [before, after]: readonly [Interface, Interface],
): readonly D[] {
  const names = new Set(differences.flatMap(({ rule }) => causes[rule] ?? []));
  const changedPaths = new Map([...names].map((name) => [name, listChangedPaths(name)]));
  function listChangedPaths(name: string): readonly (readonly string[])[] {
    const [oldPaths = [], newPaths = []] = [before, after].map((version) =>
      listSettingsIn(version, [name]).map(({ path }) => path),
    );
    const listMissing = (paths: readonly (readonly string[])[], otherPaths: readonly (readonly string[])[]) => {
      const otherTexts = new Set(otherPaths.map((path) => JSON.stringify(path)));
      return paths.filter((path) => !otherTexts.has(JSON.stringify(path)));
    };
    return [...listMissing(oldPaths, newPaths), ...listMissing(newPaths, oldPaths)];
  }
  return differences.map((difference) => {
    const path = findCause(difference, changedPaths.get(causes[difference.rule] ?? "") ?? []);
    if (path === undefined) {
      return difference;
    }
    const [oldSpan, newSpan] = findSettingSpans([before, after], path);
    return { ...difference, oldSpan: oldSpan ?? difference.oldSpan, newSpan: newSpan ?? difference.newSpan };
  });
}

/**
 * Finds the changed setting that causes a difference: the setting itself, or the one whose key or item names the
 * changed operation, route or type. If there is none, finds a setting whose value is a name in the difference.
 */
function findCause(difference: Difference, paths: readonly (readonly string[])[]): readonly string[] | undefined {
  const { rule, subject, before, after, operations = [], mappedTypes } = difference;
  const getLast = (text = "") => text.replace(/^.*[.}]/, "");
  const names = [subject, before, after, ...operations.map((each) => ("route" in each ? "" : each.name))];
  const keys = rule === "type-in-code-changed" ? (mappedTypes ?? []) : names;
  const isKey = ([, key]: readonly string[]) => key === undefined || keys.includes(key);
  const isKeyOfType = ([, key = ""]: readonly string[]) => key.startsWith("{") && keys.includes(getLast(key));
  const isValue = (path: readonly string[]) => names.includes(path.at(-1));
  const isLastWord = (path: readonly string[]) => names.some((name) => getLast(name) === getLast(path.at(-1)));
  const tests = rule === "type-in-code-changed" ? [isKey] : [isKey, isKeyOfType, isValue, isLastWord];
  return tests.map((test) => paths.find(test)).find((path) => path !== undefined);
}

/** Returns the position of a setting; undefined if the configuration does not contain it. */
export function findSettingSpan(version: Interface, path: readonly string[]): Span | undefined {
  return listSettingsIn(version, path)[0]?.span;
}

function formatPath(setting: SettingPosition | undefined): string {
  return JSON.stringify(setting?.path);
}

/** Returns a setting, its members and its values; nothing if all settings come from the command line. */
function listSettingsIn(version: Interface, path: readonly string[]): readonly SettingPosition[] {
  const settings = getConfiguredSpan(version) === undefined ? [] : (version.configured?.settings ?? []);
  return settings.filter((setting) => path.every((name, index) => name === setting.path[index]));
}

/** Returns the position of a setting, or of the innermost setting that contains it, or else that of the interface. */
function getSettingSpan(version: Interface, path: readonly string[]): Span | undefined {
  const outerSettings = listSettingsIn(version, []).filter((setting) =>
    setting.path.every((name, index) => name === path[index]),
  );
  const [innermost] = outerSettings.sort((left, right) => right.path.length - left.path.length);
  return innermost?.span ?? getConfiguredSpan(version);
}
