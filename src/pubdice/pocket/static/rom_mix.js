/**
 * ROMix, the costly part of scrypt (RFC 7914, section 5), for the words of the players' book: the browser's Python has
 * no OpenSSL, and 2 ** 19 calls of Salsa20/8 would take it 19 s and more (docs/decisions/0012). What goes in here is
 * already mixed with HMAC-SHA256 by the house, and so is what comes out (`server/book.py`).
 */

/**
 * @param {number} word
 * @param {number} by
 */
const turned = (word, by) => (word << by) | (word >>> (32 - by));

/**
 * Adds Salsa20/8 of 16 words to them (section 3).
 * @param {Int32Array} x
 */
function salsa(x) {
  let a = x[0];
  let b = x[1];
  let c = x[2];
  let d = x[3];
  let e = x[4];
  let f = x[5];
  let g = x[6];
  let h = x[7];
  let i = x[8];
  let j = x[9];
  let k = x[10];
  let l = x[11];
  let m = x[12];
  let n = x[13];
  let o = x[14];
  let p = x[15];
  for (let round = 0; round < 4; round++) {
    e ^= turned(a + m, 7);
    i ^= turned(e + a, 9);
    m ^= turned(i + e, 13);
    a ^= turned(m + i, 18);
    j ^= turned(f + b, 7);
    n ^= turned(j + f, 9);
    b ^= turned(n + j, 13);
    f ^= turned(b + n, 18);
    o ^= turned(k + g, 7);
    c ^= turned(o + k, 9);
    g ^= turned(c + o, 13);
    k ^= turned(g + c, 18);
    d ^= turned(p + l, 7);
    h ^= turned(d + p, 9);
    l ^= turned(h + d, 13);
    p ^= turned(l + h, 18);
    b ^= turned(a + d, 7);
    c ^= turned(b + a, 9);
    d ^= turned(c + b, 13);
    a ^= turned(d + c, 18);
    g ^= turned(f + e, 7);
    h ^= turned(g + f, 9);
    e ^= turned(h + g, 13);
    f ^= turned(e + h, 18);
    l ^= turned(k + j, 7);
    i ^= turned(l + k, 9);
    j ^= turned(i + l, 13);
    k ^= turned(j + i, 18);
    m ^= turned(p + o, 7);
    n ^= turned(m + p, 9);
    o ^= turned(n + m, 13);
    p ^= turned(o + n, 18);
  }
  x[0] += a;
  x[1] += b;
  x[2] += c;
  x[3] += d;
  x[4] += e;
  x[5] += f;
  x[6] += g;
  x[7] += h;
  x[8] += i;
  x[9] += j;
  x[10] += k;
  x[11] += l;
  x[12] += m;
  x[13] += n;
  x[14] += o;
  x[15] += p;
}

/**
 * BlockMix of `from` into `to` (section 4). x: 16 words to work in.
 * @param {Int32Array} from
 * @param {Int32Array} to
 * @param {Int32Array} x
 */
function blockMix(from, to, x) {
  const count = from.length / 16;
  x.set(from.subarray(from.length - 16));
  for (let block = 0; block < count; block++) {
    for (let word = 0; word < 16; word++) x[word] ^= from[16 * block + word];
    salsa(x);
    to.set(x, 16 * (block % 2 ? (count + block - 1) / 2 : block / 2));
  }
}

/**
 * ROMix of 128 * r bytes; rounds: N, a power of two. Takes 128 * r * N bytes of memory meanwhile.
 * @param {Uint8Array} bytes
 * @param {number} [rounds]
 */
export function romMix(bytes, rounds = 2 ** 14) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = bytes.length / 4;
  const x = new Int32Array(16);
  let now = Int32Array.from({ length: size }, (_, at) => view.getInt32(4 * at, true));
  let next = new Int32Array(size);
  const table = new Int32Array(size * rounds);
  for (let round = 0; round < rounds; round++) {
    table.set(now, size * round);
    blockMix(now, next, x);
    [now, next] = [next, now];
  }
  for (let round = 0; round < rounds; round++) {
    const at = size * (now[size - 16] & (rounds - 1));
    for (let word = 0; word < size; word++) now[word] ^= table[at + word];
    blockMix(now, next, x);
    [now, next] = [next, now];
  }
  const mixed = new DataView(new ArrayBuffer(bytes.length));
  for (const [at, word] of now.entries()) mixed.setInt32(4 * at, word, true);
  return new Uint8Array(mixed.buffer);
}
