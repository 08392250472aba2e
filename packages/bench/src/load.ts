import { Agent, request } from "node:http";

export interface LoadRequest {
  readonly port: number | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Sends a request many times, 50 at a time over as many connections. An answer other than 200 is an error. */
export async function load(count: number, given: LoadRequest): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  let left = count;
  const one = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      await send(given, agent);
    }
  };
  await Promise.all(Array.from({ length: 50 }, one));
  agent.destroy();
}

function send({ body, ...options }: LoadRequest, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, host: "127.0.0.1", agent }, (answer) => {
      answer.resume();
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`The server answers ${answer.statusCode}.`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
