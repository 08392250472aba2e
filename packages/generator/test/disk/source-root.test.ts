import { expect, test } from "vitest";
import { findSourceRoot, nodeFileSystem } from "../../src/disk/file-system.js";

/** A disk that contains only the named entries. */
function diskWith(...entries: readonly string[]) {
  return { ...nodeFileSystem, getKind: (path: string) => (entries.includes(path) ? "file" : "missing") } as const;
}

const cases = [
  { given: "a package above", entries: ["/home/shop/package.json"], want: "/home/shop" },
  { given: "a repository above", entries: ["/home/shop/.git"], want: "/home/shop" },
  { given: "a configuration above", entries: ["/home/shop/schemas/bothends.json"], want: "/home/shop/schemas" },
  { given: "two packages above", entries: ["/home/package.json", "/home/shop/package.json"], want: "/home/shop" },
  { given: "the working folder above", entries: [], workingFolder: "/home/shop/schemas", want: "/home/shop/schemas" },
  {
    given: "a package between the working folder and the source",
    entries: ["/home/shop/schemas/package.json"],
    workingFolder: "/home",
    want: "/home/shop/schemas",
  },
  { given: "no project", entries: [], want: "/home/shop/schemas/air" },
  { given: "a package in another folder", entries: ["/home/other/package.json"], want: "/home/shop/schemas/air" },
];

test.each(cases)("with $given, the root is $want", ({ entries, workingFolder = "/elsewhere", want }) => {
  const sources = ["/home/shop/schemas/air/air.wsdl"];
  expect(findSourceRoot({ sources, workingFolder, fileSystem: diskWith(...entries) })).toBe(want);
});

test("without a project, the root of several sources is the nearest folder that contains all of them", () => {
  const sources = ["/home/shop/a/b/c.wsdl", "/home/shop/a/d.wsdl", "/home/shop/e/f.json"];
  expect(findSourceRoot({ sources, workingFolder: "/elsewhere", fileSystem: diskWith() })).toBe("/home/shop");
});

test("the root of several sources is a project's folder that contains all of them", () => {
  const sources = ["/home/shop/a/b.wsdl", "/home/shop/c/d.wsdl"];
  const fileSystem = diskWith("/home/shop/a/package.json", "/home/package.json");
  expect(findSourceRoot({ sources, workingFolder: "/elsewhere", fileSystem })).toBe("/home");
});
