import { expect, test } from "vitest";
import type { RestContext } from "../../src/server/index.js";
import { send, site } from "./site.js";

const type = 'multipart/form-data; boundary="XbX"';

function part(disposition: string, content: string, others = ""): string {
  return `--XbX\r\nContent-Disposition: form-data; ${disposition}\r\n${others}\r\n${content}\r\n`;
}

const post = (body: string, headers = { "Content-Type": type }) =>
  send(site(), "POST /core/v2/items", { headers, body: new TextEncoder().encode(body) });

test("the fields of a multipart form are arguments", async () => {
  const body = [
    part('name="title"', "Grün"),
    part("name=author", "7"),
    part('name="tags[]"', "1"),
    part('name="tags[]"', "2"),
    part('name="zzz"', "unknown"),
  ].join("");
  expect((await post(`preamble\r\n${body}--XbX--\r\n`)).json["input"]).toEqual({
    title: { raw: "Grün" },
    author: 7,
    tags: [1, 2],
  });
  expect((await post(`${part('name="author"', "x")}--XbX--`)).status).toBe(400);
});

test("the handler gets the files of a multipart form", async () => {
  let files: RestContext["files"] = [];
  const routes = site();
  const body = [
    part('name="file"; filename="C:\\\\tmp\\\\../m.png"', "\x89PNG", "Content-Type: image/png\r\n"),
    part('name="title"', "T"),
    part('name="none"; filename=""', ""),
  ].join("");
  const seen = site({
    authorize: (call) => {
      files = call.files;
      return true;
    },
  });
  const bytes = Uint8Array.from(`${body}--XbX--`, (char) => char.charCodeAt(0));
  const { json } = await send(seen, "POST /core/v2/items", { headers: { "Content-Type": type }, body: bytes });
  expect(json["input"]).toEqual({ title: { raw: "T" } });
  expect(files).toEqual([
    { field: "file", filename: "m.png", type: "image/png", content: Uint8Array.from([0x89, 0x50, 0x4e, 0x47]) },
  ]);
  // PHP reads such a body only for POST.
  const put = await send(routes, "PUT /core/v2/items/4", { headers: { "Content-Type": type }, body: bytes });
  expect(put.json["input"]).toEqual({ id: 4 });
});

test.each([
  {
    what: "with two Content-Disposition headers",
    body: `--XbX\r\nContent-Disposition: form-data; name="title"\r\nContent-Disposition: form-data; name="status"\r\n\r\nT\r\n--XbX--`,
    headers: type,
  },
  { what: "without a boundary", body: `${part('name="title"', "T")}--XbX--`, headers: "multipart/form-data" },
  { what: "that is cut off", body: part('name="title"', "T"), headers: type },
  { what: "of other bytes", body: "title=T", headers: type },
  { what: "with a part without an end of its header", body: "--XbX\r\nA: b\r\n--XbX--", headers: type },
])("a multipart form $what is refused", async ({ body, headers }) => {
  const answer = await post(body, { "Content-Type": headers });
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ code: "rest_invalid_multipart" });
});

test("the limits of forms apply to multipart forms", async () => {
  const body = Array.from({ length: 4 }, () => part('name="a"', "1")).join("");
  const headers = { "Content-Type": type };
  const sent = { headers, body: `${body}--XbX--` };
  expect((await send(site({ limits: { formPairs: 4 } }), "POST /core/v2/items", sent)).status).toBe(200);
  expect((await send(site({ limits: { formPairs: 3 } }), "POST /core/v2/items", sent)).status).toBe(413);
  expect((await send(site({ limits: { paramName: 0 } }), "POST /core/v2/items", sent)).status).toBe(414);
});

test.each([
  { given: "../../etc/passwd", want: "passwd" },
  { given: "a\0b\x1b.png", want: "ab.png" },
  { given: "tmp/", want: "" },
  { given: "tmp/..", want: "" },
  { given: ".\0.", want: "" },
  { given: ".htaccess", want: ".htaccess" },
])("the file name $given cannot lead to another folder", async ({ given, want }) => {
  let files: RestContext["files"] = [];
  const authorize = (call: RestContext) => {
    files = call.files;
    return true;
  };
  const sent = { headers: { "Content-Type": type }, body: `${part(`name="file"; filename="${given}"`, "x")}--XbX--` };
  await send(site({ authorize }), "POST /core/v2/items", sent);
  expect(files.map(({ filename }) => filename)).toEqual([want]);
});

test("the names of files are counted like those of fields", async () => {
  const sent = { headers: { "Content-Type": type }, body: `${part('name="file"; filename="f"', "x")}--XbX--` };
  expect((await send(site({ limits: { paramName: 4 } }), "POST /core/v2/items", sent)).status).toBe(200);
  expect((await send(site({ limits: { paramName: 3 } }), "POST /core/v2/items", sent)).status).toBe(414);
});

test("names of prototype members are dropped", async () => {
  const { json } = await post(`${part('name="__proto__"', "1")}${part('name="meta[__proto__][a]"', "1")}--XbX--`);
  expect(json["input"]).toEqual({});
});
