import type { Random } from "@bothends/dynamic/random";
import { serviceOf } from "../pairs/service.js";
import type { Sources } from "../proof/contracts.js";

export const protocols = ["soap11", "soap12", "httpGet", "httpPost"] as const;
export type Protocol = (typeof protocols)[number];

export interface PortInit {
  readonly name: string;
  readonly protocol: Protocol;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
}

const portNames = ["A", "B", "C", "D", "E", "F"];
const schemes = ["http", "http", "http", "https"];
const hosts = ["s.example", "s.example", "backup.example"];
const paths = ["/a", "/b", "/c", "/d"];

function drawPort(random: Random, ports: readonly PortInit[]): PortInit {
  const freeNames = portNames.filter((name) => !ports.some((port) => port.name === name));
  return {
    name: random.pick(freeNames) ?? "G",
    protocol: random.pick(protocols) ?? "soap11",
    scheme: random.pick(schemes) ?? "http",
    host: random.pick(hosts) ?? "s.example",
    path: random.pick(paths) ?? "/a",
  };
}

/** Removes, adds, moves or changes one port. */
export function editPorts(random: Random, ports: readonly PortInit[]): readonly PortInit[] {
  const index = random.drawIntegerBelow(ports.length);
  const drawn = drawPort(random, ports);
  const remove = (from: readonly PortInit[]) => from.filter((_, position) => position !== index);
  const insert = (into: readonly PortInit[], port: PortInit) =>
    into.toSpliced(random.drawIntegerBelow(into.length + 1), 0, port);
  const [port = drawn] = ports.slice(index);
  switch (random.pick(["remove", "remove", "add", "add", "move", "move", "rename", "scheme", "host", "path"])) {
    case "remove":
      return hasSoap(remove(ports)) ? remove(ports) : ports;
    case "add":
      return ports.length === 4 ? ports : insert(ports, drawn);
    case "move":
      return insert(remove(ports), port);
    case "rename":
      return ports.with(index, { ...port, name: drawn.name });
    case "scheme":
      return ports.with(index, { ...port, scheme: drawn.scheme });
    case "host":
      return ports.with(index, { ...port, host: drawn.host });
    default:
      return ports.with(index, { ...port, path: drawn.path });
  }
}

export function createPorts(random: Random): readonly PortInit[] {
  const count = 2 + random.drawIntegerBelow(3);
  const ports: PortInit[] = [];
  while (ports.length < count) {
    ports.push(drawPort(random, ports));
  }
  return hasSoap(ports) ? ports : createPorts(random);
}

/** Whether a port uses SOAP. The messages of a service that has only HTTP are not those of a SOAP service. */
function hasSoap(ports: readonly PortInit[]): boolean {
  return ports.some(({ protocol }) => protocol === "soap11" || protocol === "soap12");
}

/** A service with these ports, and with operations that all ports have. */
export function sourcesOfPorts(ports: readonly PortInit[], operations = [{ name: "Ask" }]): Sources {
  const usedProtocols = protocols.filter((protocol) => ports.some((port) => port.protocol === protocol));
  const { "s.wsdl": text = "" } = serviceOf({ protocols: usedProtocols, operations });
  const prefixes = { soap11: "soap", soap12: "soap12", httpGet: "http", httpPost: "http" };
  const elements = ports.map(
    ({ name, protocol, scheme, host, path }) =>
      `<port name="${name}" binding="t:${protocol}"><${prefixes[protocol]}:address location="${scheme}://${host}${path}"/></port>`,
  );
  return {
    "s.wsdl": text
      .replace(/<service name="S">[\s\S]*<\/service>/, `<service name="S">${elements.join("")}</service>`)
      // Over HTTP, the operations have the answers that they have over SOAP, so that all ports belong to one service.
      .replaceAll('<part name="b" type="xs:string"/>', '<part name="b" element="e:Text"/>')
      .replace('<element name="Session"', '<element name="Text" type="string"/><element name="Session"'),
  };
}

export function formatPorts(ports: readonly PortInit[]): string {
  return ports
    .map(({ name, protocol, scheme, host, path }) => `${name}:${protocol} ${scheme}://${host}${path}`)
    .join(", ");
}
