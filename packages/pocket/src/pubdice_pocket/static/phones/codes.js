/** QR codes, drawn as pictures and read by the camera. */
import encodeQR from './qr/index.js';

const EVERY_MS = 150;

/**
 * Draws a text as a QR code. It is dark on light in every theme, as cameras need that.
 * @param {string} text
 */
export function draw(text) {
  const svg = new DOMParser().parseFromString(encodeQR(text, 'svg', { ecc: 'low', border: 4 }), 'image/svg+xml');
  svg.documentElement.setAttribute('aria-hidden', 'true');
  return document.importNode(svg.documentElement, true);
}

/** Returns a reader of QR codes: the browser's own, or else the library's. */
async function detector() {
  const own = /** @type {any} */ (globalThis).BarcodeDetector;
  const formats = await own?.getSupportedFormats().catch(() => []);
  const Detector = formats?.includes('qr_code') ? own : (await import('./qr/decode.js')).BarcodeDetector;
  return new Detector({ formats: ['qr_code'] });
}

/**
 * Asks for the camera. Resolves to true if it may be used. Without that permission a browser hides this phone's
 * addresses: it gives only the one towards the internet, hidden behind a name, or none.
 */
export const askForCamera = () =>
  navigator.mediaDevices?.getUserMedia({ video: true }).then(
    stream => {
      for (const track of stream.getTracks()) track.stop();
      return true;
    },
    () => false,
  ) ?? Promise.resolve(false);

/**
 * Reads the first QR code that the camera sees, and shows the camera's picture meanwhile. `text` rejects if there is no
 * camera, and resolves to '' after `stop`.
 * @param {HTMLVideoElement} view
 */
export function readByCamera(view) {
  let isOver = false;
  /** @type {MediaStream | undefined} */
  let stream;
  const stop = () => {
    isOver = true;
    view.hidden = true;
    for (const track of stream?.getTracks() ?? []) track.stop();
  };
  const read = async () => {
    stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
    });
    if (isOver) {
      stop();
      return '';
    }
    view.srcObject = stream;
    view.hidden = false;
    await view.play();
    const seeing = await detector();
    while (!isOver) {
      const [found] = view.videoWidth ? await seeing.detect(view).catch(() => []) : [];
      if (found?.rawValue) {
        stop();
        return /** @type {string} */ (found.rawValue);
      }
      await new Promise(done => setTimeout(done, EVERY_MS));
    }
    return '';
  };
  return { text: read(), stop };
}
