import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { FileNames } from "../src/fetch/file-names.js";
import { hideSecrets, listAddressWords } from "../src/fetch/hide-secrets.js";
import { formatAddress } from "../src/fetch/network.js";
import { ProjectFolder, wsdl } from "./project-folder.js";

const nameOf = (address: string) => new FileNames().chooseName(new URL(address), "wsdl");

test.each([
  ["http://h/a.asmx?wsdl&token=s3cret", "a.wsdl", "http://h/a.asmx?wsdl&token=***"],
  ["http://h/a.asmx?wsdl=x0&token=s3cret&v=2", "a.x0-v-2.wsdl", "http://h/a.asmx?wsdl=x0&token=***&v=2"],
  ["http://h/a?Subscription-Key=s3cret", "a.wsdl", "http://h/a?Subscription-Key=***"],
  ["http://h/a?x-api%5Fkey=s3cret", "a.wsdl", "http://h/a?x-api%5Fkey=***"],
  ["http://h/a?p%61ssword=s3cret%26s3cret", "a.wsdl", "http://h/a?p%61ssword=***"],
  ["http://h/a?password=s3cret?;s3cret", "a.wsdl", "http://h/a?password=***"],
  ["http://h/a?wsdl;token=s3cret", "a.wsdl", "http://h/a?wsdl;token=***"],
  ["http://h/a?sv=1&sig=s3cret", "a.sv-1.wsdl", "http://h/a?sv=1&sig=***"],
  ["http://h/a?code=s3cret", "a.wsdl", "http://h/a?code=***"],
  ["http://h/a?url=http%3A%2F%2Fi%2F%3Ftoken%3Ds3cret", "a.wsdl", "http://h/a?url=***"],
  ["http://h/a?url=http://i/?b=1&token=s3cret", "a.url-http-i-b-1.wsdl", "http://h/a?url=http://i/?b=1&token=***"],
  ["http://h/a?%zz&tok%65n=%zzs3cret", "a.zz.wsdl", "http://h/a?%zz&tok%65n=***"],
  ["http://h/a.asmx;jsessionid=s3cret?wsdl", "a.wsdl", "http://h/a.asmx;jsessionid=***?wsdl"],
  ["http://h/a.asmx%3Bjsessionid=s3cret?wsdl", "a.wsdl", "http://h/a.asmx%3Bjsessionid=***?wsdl"],
  ["http://h/;sid=s3cret/a.asmx?wsdl#access_token=s3cret", "a.wsdl", "http://h/;sid=***/a.asmx?wsdl#access_token=***"],
  ["http://ann:s3cret@h/a.asmx?wsdl", "a.wsdl", "http://h/a.asmx?wsdl"],
  ["http://h/a?keyword=b&country_code=US&wsdl=tokens", "a.keyword-b-country_code-US-wsdl-tokens.wsdl", undefined],
])("the secrets of %s are neither in the file name nor in messages", (address, name, shown = address) => {
  expect([nameOf(address), formatAddress(new URL(address))]).toEqual([name, shown]);
});

test.each([
  ["htp://ann:s3cret@h/a?token=s3cret", "htp://***@h/a?token=***"],
  ["h:80/a?wsdl&token=s3cret", "h:80/a?wsdl&token=***"],
  ["http://[::?token=s3cret", "http://[::?token=***"],
  ["schemas/a@b.wsdl", "schemas/a@b.wsdl"],
])("the secrets of %s, which may not be an address, are hidden", (text, shown) => {
  expect(hideSecrets(text)).toBe(shown);
});

test.each([
  ["http://ann:s3cret@h/a?wsdl", ["http://h/a?wsdl", "--user", "ann"]],
  ["http://ann%20b:s3%40ret@h/a@b", ["http://h/a@b", "--user", "ann b"]],
  ["http://s3cret@h/a", ["http://h/a", "--user", "…"]],
  ["http://h/a@b?token=s3cret", ["http://h/a@b?token=***"]],
])("the login of %s becomes an option of the suggested command", (address, words) => {
  expect(listAddressWords(address)).toEqual(words);
});

test("the command that generate suggests for an address with a login can be run", async () => {
  const { url } = await serve();
  const project = new ProjectFolder({});
  const { err } = await project.run("generate", "--wsdl", `${url.replace("//", "//ann:s3cret@")}/a.asmx?wsdl`);
  const [, command = ""] = /Try npx bothends (.*)\.$/m.exec(err) ?? [];
  expect(command).toBe(`fetch '${url}/a.asmx?wsdl' --user ann`);
  project.host = { environment: { ...process.env, BOTHENDS_PASSWORD: "s3cret" } };
  const { code } = await project.run(...command.replaceAll("'", "").split(" "), "--yes");
  expect(code).toBe(0);
});

test("addresses that differ only in a secret get different names", () => {
  const names = new FileNames();
  const choose = (token: string) => names.chooseName(new URL(`http://h/a.xsd?token=${token}`), "xsd");
  expect([choose("one"), choose("two"), choose("one")]).toEqual(["a.xsd", "a-2.xsd", "a.xsd"]);
});

/** Starts a server on this machine with a WSDL at `/a.asmx`, and a redirect to another host at `/away`. */
async function serve() {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    if (request.url?.startsWith("/away") === true) {
      response.writeHead(302, { location: "http://other.example/b?token=s3cret" }).end();
    } else if (request.url?.startsWith("/a.asmx?wsdl") === true) {
      response.end(wsdl());
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

test("a token in an address is sent, but neither written nor printed", async () => {
  const { url, paths } = await serve();
  const project = new ProjectFolder({});
  const { code, out, err } = await project.run("fetch", `${url}/a.asmx?wsdl&token=s3cret`, "--yes");
  expect([code, paths]).toEqual([0, ["/a.asmx?wsdl&token=s3cret"]]);
  expect(Object.keys(project.snapshot())).toEqual(["schemas/a.wsdl"]);
  expect(JSON.stringify([project.snapshot(), out, err])).not.toContain("s3cret");
  // The next token does not make another file.
  expect((await project.run("fetch", `${url}/a.asmx?wsdl&token=s3cret2`, "--yes")).out).toContain(
    "1 document unchanged",
  );
});

test("init writes neither the login of an address, nor a token or header, to any file", async () => {
  const { url, paths } = await serve();
  const project = new ProjectFolder({});
  const address = `${url.replace("//", "//ann:s3cret@")}/a.asmx?wsdl&token=s3cret`;
  const { code, out, err } = await project.run("init", address, "--header", "X-Key: s3cret");
  expect([code, paths]).toEqual([0, ["/a.asmx?wsdl&token=s3cret"]]);
  expect(JSON.stringify([project.snapshot(), out, err])).not.toContain("s3cret");
});

test.each([
  ["fetch", "/none?token=s3cret", "/none?token=*** answered with status 404"],
  ["init", "/none?token=s3cret", "/none?token=*** answered with status 404"],
  [
    "fetch",
    "/away?token=s3cret",
    "repeat the command with it, and with the secret of the header Location in place of ***",
  ],
])("%s %s shows no token in its error", async (command, path, says) => {
  const { url } = await serve();
  const { code, out, err } = await new ProjectFolder({}).run(command, `${url}${path}`);
  expect([code, err]).toEqual([2, expect.stringContaining(says)]);
  expect(out + err).not.toContain("s3cret");
});

test.each([
  ["generate", "--wsdl", "http://ann:s3cret@h/a?token=s3cret"],
  ["diff", "https://h.example/a?token=s3cret"],
  ["fetch", "h.example/a?token=s3cret"],
  ["fetch", "htp://ann:s3cret@h/a"],
  ["init", "h.example:80/a?token=s3cret"],
])("%s %s %s shows no secret in its error and its suggestion", async (...parameters) => {
  const { code, out, err } = await new ProjectFolder({}).run(...parameters);
  expect([code, err]).toEqual([2, expect.stringContaining("***")]);
  expect(out + err).not.toContain("s3cret");
});

test("the suggestion of init to fetch a changed document hides the secrets of the address", async () => {
  const { url } = await serve();
  const project = new ProjectFolder({ "schemas/a.wsdl": "<a/>" });
  const { err } = await project.run("init", `${url.replace("//", "//ann:s3cret@")}/a.asmx?wsdl&token=s3cret`);
  expect(err).toContain(`Try npx bothends fetch '${url}/a.asmx?wsdl&token=***' --user ann.`);
});
