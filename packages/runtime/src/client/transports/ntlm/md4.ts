/** The MD4 digest (RFC 1320), which NTLM makes keys of passwords with, and which platforms no longer have. */
export function md4(input: Uint8Array): Uint8Array {
  const words = padded(input);
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  for (let block = 0; block < words.length; block += 16) digestBlock(state, words.subarray(block, block + 16));
  const output = new DataView(new ArrayBuffer(16));
  for (const [index, word] of state.entries()) output.setUint32(index * 4, word, true);
  return new Uint8Array(output.buffer);
}

/** RFC 1320 §3.1, §3.2: a one, zeros, and the length in bits. */
function padded(input: Uint8Array): Uint32Array {
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
  readonly add: number;
  readonly shifts: readonly number[];
  /** Which word of the block each step takes. */
  readonly order: readonly number[];
}

/** RFC 1320 §3.4. */
const rounds: readonly Round[] = [
  {
    mix: (x, y, z) => (x & y) | (~x & z),
    add: 0,
    shifts: [3, 7, 11, 19],
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  },
  {
    mix: (x, y, z) => (x & y) | (x & z) | (y & z),
    add: 0x5a827999,
    shifts: [3, 5, 9, 13],
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
  },
  {
    mix: (x, y, z) => x ^ y ^ z,
    add: 0x6ed9eba1,
    shifts: [3, 9, 11, 15],
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
  },
];

function digestBlock(state: Uint32Array, block: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (const { mix, add, shifts, order } of rounds) {
    for (const [step, word] of order.entries()) {
      const sum = (a + mix(b, c, d) + (block[word] ?? 0) + add) >>> 0;
      const shift = shifts[step % 4] ?? 0;
      [a, b, c, d] = [d, (sum << shift) | (sum >>> (32 - shift)), b, c];
    }
  }
  for (const [index, value] of [a, b, c, d].entries()) state[index] = (state[index] ?? 0) + value;
}
