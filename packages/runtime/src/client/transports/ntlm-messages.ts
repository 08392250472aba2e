import { createHmac } from "node:crypto";

// The three messages of NTLM, version 2 (MS-NLMP §2.2.1, §3.3.2).

/** The account that a client authenticates as. */
export interface NtlmUser {
  readonly username: string;
  readonly password: string;
  readonly domain?: string | undefined;
  /** The name of the client's machine, for servers that require one. */
  readonly workstation?: string | undefined;
}

/** The content of a server's challenge. */
interface NtlmChallenge {
  readonly message: Buffer;
  readonly flags: number;
  readonly nonce: Buffer;
  readonly targetInfo: Buffer;
}

/** The values that differ in each proof. */
interface ProofInputs {
  /** Eight random bytes, different in each proof. */
  readonly nonce: Buffer;
  /** The current time in milliseconds since 1970, for servers whose challenge contains no time. */
  readonly now: number;
}

const signature = Buffer.from("NTLMSSP\0", "latin1");
/**
 * The flags of the client: Unicode, target name, NTLM, dummy signatures, version 2 session security, target
 * information.
 */
const clientFlags = 0x00888205;
const [endOfList, avFlags, avTimestamp] = [0, 6, 7] as const;

/** Writes the first message, which announces the capabilities of the client. */
export function createNegotiateMessage(): Buffer {
  const message = Buffer.alloc(32);
  signature.copy(message);
  message.writeUInt32LE(1, 8);
  message.writeUInt32LE(clientFlags, 12);
  return message;
}

/** Reads the second message, the challenge of the server. Returns undefined for other bytes. */
export function readChallenge(message: Buffer): NtlmChallenge | undefined {
  if (message.length < 48 || !message.subarray(0, 8).equals(signature) || message.readUInt32LE(8) !== 2) {
    return undefined;
  }
  const start = message.readUInt32LE(44);
  const end = start + message.readUInt16LE(40);
  if (end > message.length) {
    return undefined;
  }
  return {
    message,
    flags: message.readUInt32LE(20),
    nonce: message.subarray(24, 32),
    targetInfo: message.subarray(start, end),
  };
}

/** Writes the third message, which proves that the client knows the password. */
export function createAuthenticateMessage(user: NtlmUser, challenge: NtlmChallenge, inputs: ProofInputs): Buffer {
  const pairs = readPairs(challenge.targetInfo);
  const time = pairs.get(avTimestamp);
  const key = computeResponseKey(user);
  const proof = computeResponse(key, challenge, {
    nonce: inputs.nonce,
    time: time ?? toFileTime(inputs.now),
    // MS-NLMP §3.1.5.1.2: if the challenge contains a time, the third message must contain a checksum of all messages
    // (MIC). The flag in `avFlags` announces the checksum.
    targetInfo: time === undefined ? challenge.targetInfo : writePairs(pairs.set(avFlags, Buffer.from([2, 0, 0, 0]))),
  });
  const lmResponse = Buffer.concat([computeHmac(key, challenge.nonce, inputs.nonce), inputs.nonce]);
  const message = writeFields(challenge.flags & clientFlags, [
    time === undefined ? lmResponse : Buffer.alloc(24),
    proof.response,
    encodeUtf16(user.domain ?? ""),
    encodeUtf16(user.username),
    encodeUtf16(user.workstation ?? ""),
    Buffer.alloc(0),
  ]);
  if (time !== undefined) {
    computeHmac(proof.sessionKey, createNegotiateMessage(), challenge.message, message).copy(message, 72);
  }
  return message;
}

/** Derives the key for responses from the account, as NTOWFv2 in MS-NLMP §3.3.2. */
export function computeResponseKey({ username, password, domain = "" }: NtlmUser): Buffer {
  return computeHmac(computeMd4(encodeUtf16(password)), encodeUtf16(username.toUpperCase() + domain));
}

/** Computes the response to a challenge, and the session key, as ComputeResponse in MS-NLMP §3.3.2. */
export function computeResponse(
  key: Buffer,
  challenge: Pick<NtlmChallenge, "nonce">,
  { nonce, time, targetInfo }: { readonly nonce: Buffer; readonly time: Buffer; readonly targetInfo: Buffer },
): { readonly response: Buffer; readonly sessionKey: Buffer } {
  const clientChallenge = Buffer.concat([
    Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]),
    time,
    nonce,
    Buffer.alloc(4),
    targetInfo,
    Buffer.alloc(4),
  ]);
  const proof = computeHmac(key, challenge.nonce, clientChallenge);
  return { response: Buffer.concat([proof, clientChallenge]), sessionKey: computeHmac(key, proof) };
}

/**
 * Writes the third message: a head of 88 bytes, whose last 16 bytes are reserved for the MIC, followed by the fields.
 */
function writeFields(sharedFlags: number, fields: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(88);
  signature.copy(head);
  head.writeUInt32LE(3, 8);
  head.writeUInt32LE(sharedFlags, 60);
  let offset = head.length;
  for (const [index, field] of fields.entries()) {
    head.writeUInt16LE(field.length, 12 + index * 8);
    head.writeUInt16LE(field.length, 14 + index * 8);
    head.writeUInt32LE(offset, 16 + index * 8);
    offset += field.length;
  }
  return Buffer.concat([head, ...fields]);
}

/** Reads a list of AV_PAIR structures (MS-NLMP §2.2.2.1) into a map by id. */
function readPairs(list: Buffer): Map<number, Buffer> {
  const pairs = new Map<number, Buffer>();
  for (let offset = 0; offset + 4 <= list.length; ) {
    const [id, length] = [list.readUInt16LE(offset), list.readUInt16LE(offset + 2)];
    if (id === endOfList) {
      break;
    }
    pairs.set(id, list.subarray(offset + 4, offset + 4 + length));
    offset += 4 + length;
  }
  return pairs;
}

function writePairs(pairs: ReadonlyMap<number, Buffer>): Buffer {
  const structures = [...pairs].map(([id, value]) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(id, 0);
    head.writeUInt16LE(value.length, 2);
    return Buffer.concat([head, value]);
  });
  return Buffer.concat([...structures, Buffer.alloc(4)]);
}

/** Converts milliseconds since 1970 to a FILETIME, tenths of microseconds since 1601 (MS-DTYP §2.3.3). */
function toFileTime(milliseconds: number): Buffer {
  const time = Buffer.alloc(8);
  time.writeBigUInt64LE((BigInt(milliseconds) + 11_644_473_600_000n) * 10_000n);
  return time;
}

function computeHmac(key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const digest = createHmac("md5", key);
  for (const part of parts) {
    digest.update(part);
  }
  return digest.digest();
}

function encodeUtf16(text: string): Buffer {
  return Buffer.from(text, "utf16le");
}

/** Returns the MD4 digest (RFC 1320), from which NTLM derives keys. Platforms no longer provide MD4. */
export function computeMd4(input: Uint8Array): Uint8Array {
  const words = padMessage(input);
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  for (let block = 0; block < words.length; block += 16) {
    digestBlock(state, words.subarray(block, block + 16));
  }
  const output = new DataView(new ArrayBuffer(16));
  for (const [index, word] of state.entries()) {
    output.setUint32(index * 4, word, true);
  }
  return new Uint8Array(output.buffer);
}

/** Appends a 1 bit, zeros, and the length in bits to a message (RFC 1320 §3.1, §3.2). */
function padMessage(input: Uint8Array): Uint32Array {
  const bytes = new Uint8Array((((input.length + 8) >> 6) + 1) * 64);
  bytes.set(input);
  bytes[input.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, input.length << 3, true);
  view.setUint32(bytes.length - 4, input.length >>> 29, true);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(index * 4, true));
}

interface Round {
  readonly mix: (x: number, y: number, z: number) => number;
  readonly constant: number;
  readonly shifts: readonly number[];
  /** The index of the word that each of the 16 steps reads. */
  readonly wordOrder: readonly number[];
}

/** The three rounds of MD4 (RFC 1320 §3.4). */
const rounds: readonly Round[] = [
  {
    mix: (x, y, z) => (x & y) | (~x & z),
    constant: 0,
    shifts: [3, 7, 11, 19],
    wordOrder: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  },
  {
    mix: (x, y, z) => (x & y) | (x & z) | (y & z),
    constant: 0x5a827999,
    shifts: [3, 5, 9, 13],
    wordOrder: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
  },
  {
    mix: (x, y, z) => x ^ y ^ z,
    constant: 0x6ed9eba1,
    shifts: [3, 9, 11, 15],
    wordOrder: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
  },
];

function digestBlock(state: Uint32Array, block: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (const { mix, constant, shifts, wordOrder } of rounds) {
    for (const [step, word] of wordOrder.entries()) {
      const sum = (a + mix(b, c, d) + (block[word] ?? 0) + constant) >>> 0;
      const shift = shifts[step % 4] ?? 0;
      [a, b, c, d] = [d, (sum << shift) | (sum >>> (32 - shift)), b, c];
    }
  }
  for (const [index, value] of [a, b, c, d].entries()) {
    state[index] = (state[index] ?? 0) + value;
  }
}
