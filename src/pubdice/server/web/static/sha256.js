/**
 * SHA-256 and HMAC (RFC 6234, RFC 2104) by hand: plain http and a page from a file have no crypto.subtle. A plain
 * script, so a page saved with it works. Modules find it as globalThis.pubdiceHash.
 */
globalThis.pubdiceHash ??= (() => {
  const BLOCK = 64;

  /**
   * The first 32 bits of the fractional parts of roots of the first primes.
   * @param {number} count
   * @param {number} root
   */
  function fractions(count, root) {
    const found = [];
    for (let number = 2; found.length < count; number++) {
      let prime = true;
      for (let by = 2; by * by <= number; by++) if (number % by === 0) prime = false;
      if (prime) found.push(((number ** (1 / root) % 1) * 2 ** 32) | 0);
    }
    return found;
  }

  const START = fractions(8, 2);
  const ROUNDS = fractions(64, 3);
  /**
   * @param {number} word
   * @param {number} by
   */
  const turned = (word, by) => (word >>> by) | (word << (32 - by));

  /**
   * The SHA-256 of bytes, as bytes.
   * @param {Uint8Array} bytes
   */
  function sha256(bytes) {
    const length = bytes.length;
    const filled = new Uint8Array((((length + 8) >> 6) + 1) << 6);
    const view = new DataView(filled.buffer);
    filled.set(bytes);
    filled[length] = 0x80;
    view.setUint32(filled.length - 8, Math.floor(length / 2 ** 29));
    view.setUint32(filled.length - 4, length << 3);
    const hash = [...START];
    const words = new Int32Array(64);
    for (let at = 0; at < filled.length; at += BLOCK) {
      for (let i = 0; i < 64; i++) {
        if (i < 16) words[i] = view.getInt32(at + 4 * i);
        else {
          const a = words[i - 15];
          const b = words[i - 2];
          const one = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
          const two = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
          words[i] = words[i - 16] + one + words[i - 7] + two;
        }
      }
      let [a, b, c, d, e, f, g, h] = hash;
      for (let i = 0; i < 64; i++) {
        const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
        const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
        const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
        const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = (hash[i] + word) | 0;
    }
    const out = new DataView(new ArrayBuffer(32));
    for (const [i, word] of hash.entries()) out.setInt32(4 * i, word);
    return new Uint8Array(out.buffer);
  }

  /** @param {string} text */
  const bytesOf = text => new TextEncoder().encode(text);
  /**
   * @param {Uint8Array} one
   * @param {Uint8Array} two
   */
  const joined = (one, two) => Uint8Array.from([...one, ...two]);
  /** @param {Uint8Array} bytes */
  const hex = bytes => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
  /** @param {string} text */
  const unhex = text => Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16));

  /**
   * HMAC-SHA256 with a key of at most 64 bytes.
   * @param {Uint8Array} key
   * @param {Uint8Array} message
   */
  function hmac(key, message) {
    /** @param {number} value */
    const pad = value => Uint8Array.from({ length: BLOCK }, (_, i) => (key[i] ?? 0) ^ value);
    return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), message))));
  }

  return { bytesOf, hex, hmac, sha256, unhex };
})();
