/**
 * An unpacker of LZMA (lzma-specification.txt in the LZMA SDK). Files are a quarter smaller than with gzip, the only
 * format that browsers unpack for a script. The build always uses lc=3, lp=0 and pb=0, so contexts do not depend on
 * positions.
 */
const LZMA = { head: 13, properties: 3, begin: 5, most: 20 }; // bytes; `most` is the most input of one step
const [LENGTHS, EVEN, TOP] = [2 + 8 + 8 + 256, 1 << 10, 2 ** 24];
// the first place of each kind of probability
const [IS_MATCH, IS_REP, IS_REP0, IS_REP1, IS_REP2, IS_LONG, SLOTS] = [0, 12, 24, 36, 48, 60, 72];
const SPECIAL = SLOTS + 4 * 64;
const ALIGN = SPECIAL + 128;
const NEW = ALIGN + 16;
const SAME = NEW + LENGTHS;
const LITERALS = SAME + LENGTHS;
const [RANGE, CODE, AT] = [0, 1, 2];

/** Unpacks into `out`, which has the length of the contents. The input comes in pieces. */
class Unpacking {
  /** @param {Uint8Array} out */
  constructor(out) {
    this.out = out;
    this.size = 0; // the number of unpacked bytes
    this.probabilities = new Uint16Array(LITERALS + 8 * 0x300).fill(EVEN);
    this.registers = new Uint32Array(3);
    this.distances = new Uint32Array(4);
    this.state = 0;
    this.begun = false;
    this.input = new Uint8Array();
  }

  /**
   * Takes a piece, and unpacks as far as possible. Returns true if the file is complete. Throws if it is damaged.
   * @param {Uint8Array} piece
   * @param {any} [last] true if no more pieces come
   */
  push(piece, last = false) {
    const left = this.input.subarray(this.registers[AT]);
    this.input = new Uint8Array(left.length + piece.length);
    this.input.set(left);
    this.input.set(piece, left.length);
    this.registers[AT] = 0;
    if (!this.begun) {
      if (this.input.length < LZMA.head + LZMA.begin) return false;
      if (this.input[0] !== LZMA.properties || this.input[LZMA.head]) throw new Error('no LZMA');
      this.begun = true;
      this.registers.set([
        0xffffffff,
        new DataView(this.input.buffer).getUint32(LZMA.head + 1),
        LZMA.head + LZMA.begin,
      ]);
    }
    const until = this.input.length - (last ? 0 : LZMA.most);
    while (this.size < this.out.length && this.registers[AT] <= until) this.step();
    return this.size === this.out.length;
  }

  /**
   * Decodes one bit, with the probability at this place.
   * @param {number} at
   */
  bit(at) {
    const { registers, probabilities } = this;
    const chance = probabilities[at];
    const bound = (registers[RANGE] >>> 11) * chance;
    let found = 0;
    if (registers[CODE] < bound) {
      registers[RANGE] = bound;
      probabilities[at] = chance + ((2048 - chance) >> 5);
    } else {
      registers[CODE] -= bound;
      registers[RANGE] -= bound;
      probabilities[at] = chance - (chance >> 5);
      found = 1;
    }
    if (registers[RANGE] < TOP) this.next();
    return found;
  }

  next() {
    const { registers } = this;
    registers[RANGE] <<= 8;
    registers[CODE] = (registers[CODE] << 8) | this.input[registers[AT]++];
  }

  /**
   * Decodes bits whose values 0 and 1 are equally likely.
   * @param {number} count
   */
  plain(count) {
    const { registers } = this;
    let found = 0;
    for (; count; count--) {
      registers[RANGE] >>>= 1;
      const one = registers[CODE] >= registers[RANGE] ? 1 : 0;
      if (one) registers[CODE] -= registers[RANGE];
      found = (found << 1) | one;
      if (registers[RANGE] < TOP) this.next();
    }
    return found;
  }

  /**
   * @param {number} at
   * @param {number} bits
   */
  tree(at, bits) {
    let found = 1;
    for (let left = bits; left; left--) found = (found << 1) | this.bit(at + found);
    return found - (1 << bits);
  }

  /**
   * Decodes bits as `tree` does, but with the lowest bit first.
   * @param {number} at
   * @param {number} bits
   */
  reversed(at, bits) {
    let found = 0;
    for (let node = 1, place = 0; place < bits; place++) {
      const one = this.bit(at + node);
      node = (node << 1) | one;
      found |= one << place;
    }
    return found;
  }

  /** @param {number} at */
  length(at) {
    if (!this.bit(at)) return 2 + this.tree(at + 2, 3);
    return this.bit(at + 1) ? 18 + this.tree(at + 18, 8) : 10 + this.tree(at + 10, 3);
  }

  /** @param {number} length */
  distance(length) {
    const slot = this.tree(SLOTS + 64 * Math.min(length - 2, 3), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const found = (2 | (slot & 1)) << bits;
    if (slot < 14) return found + this.reversed(SPECIAL + found - slot, bits);
    return found + (this.plain(bits - 4) << 4) + this.reversed(ALIGN, 4);
  }

  /** Unpacks one byte, or one repetition of earlier bytes. */
  step() {
    const { distances, state } = this;
    if (!this.bit(IS_MATCH + state)) return this.literal();
    if (!this.bit(IS_REP + state)) {
      distances.copyWithin(1, 0);
      const length = this.length(NEW);
      distances[0] = this.distance(length);
      this.state = state < 7 ? 7 : 10;
      return this.repeat(length);
    }
    if (this.bit(IS_REP0 + state)) {
      const which = this.bit(IS_REP1 + state) ? 2 + this.bit(IS_REP2 + state) : 1;
      const distance = distances[which];
      distances.copyWithin(1, 0, which);
      distances[0] = distance;
    } else if (!this.bit(IS_LONG + state)) {
      this.state = state < 7 ? 9 : 11;
      return this.repeat(1);
    }
    this.state = state < 7 ? 8 : 11;
    this.repeat(this.length(SAME));
  }

  literal() {
    const { out, size, state } = this;
    const at = LITERALS + 0x300 * (size ? out[size - 1] >> 5 : 0);
    let found = 1;
    if (state >= 7) {
      for (let match = out[size - this.distances[0] - 1], same = true; same && found < 0x100; match <<= 1) {
        const expected = (match >> 7) & 1;
        const one = this.bit(at + 0x100 + (expected << 8) + found);
        found = (found << 1) | one;
        same = one === expected;
      }
    }
    while (found < 0x100) found = (found << 1) | this.bit(at + found);
    out[this.size++] = found;
    this.state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  }

  /** @param {number} length */
  repeat(length) {
    const { out } = this;
    const from = this.distances[0] + 1;
    const end = Math.min(this.size + length, out.length);
    if (from > this.size) throw new Error('damaged LZMA');
    for (; this.size < end; this.size++) out[this.size] = out[this.size - from];
  }
}
