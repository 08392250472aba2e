import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../house/sources.js";

/** The language server of the compiler, as editors use it. */
export class Editor {
  readonly #folder: string;
  readonly #server: ChildProcess;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #received: Buffer = Buffer.alloc(0);

  constructor(folder: string) {
    this.#folder = folder;
    this.#server = spawn(join(root, "node_modules/.bin/tsc"), ["--lsp", "--stdio"], {
      cwd: folder,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#server.stdout?.on("data", (bytes: Buffer) => this.#receive(bytes));
  }

  /** Opens a file of the folder. */
  async open(file: string, text: string): Promise<void> {
    const capabilities = { textDocument: { hover: { contentFormat: ["markdown"] } } };
    const rootUri = String(pathToFileURL(this.#folder));
    await this.request("initialize", { processId: process.pid, rootUri, capabilities });
    this.notify("initialized", {});
    const uri = String(pathToFileURL(join(this.#folder, file)));
    this.notify("textDocument/didOpen", { textDocument: { uri, languageId: "typescript", version: 1, text } });
  }

  request(method: string, params: object): Promise<unknown> {
    const id = this.#waiting.size + 1;
    this.notify(method, params, id);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  notify(method: string, params: object, id?: number): void {
    this.#send({ jsonrpc: "2.0", id, method, params });
  }

  stop(): void {
    this.#server.kill();
  }

  #send(message: object): void {
    const text = JSON.stringify(message);
    this.#server.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const end = this.#received.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/.exec(this.#received.toString("latin1", 0, Math.max(end, 0)))?.[1]);
      if (end < 0 || this.#received.length < end + 4 + length) {
        return;
      }
      const message = JSON.parse(this.#received.toString("utf8", end + 4, end + 4 + length));
      this.#received = this.#received.subarray(end + 4 + length);
      if (message.method === undefined) {
        this.#waiting.get(message.id)?.(message.result);
      } else if (message.id !== undefined) {
        this.#send({ jsonrpc: "2.0", id: message.id, result: null });
      }
    }
  }
}
