/** Codes as pictures: drawn, and read by a camera. */
import encodeQR from './qr/index.js';

const EVERY_MS = 150;

/**
 * A picture of a text, dark on light whatever the page looks like, as cameras want it.
 * @param {string} text
 */
export function draw(text) {
  const svg = new DOMParser().parseFromString(encodeQR(text, 'svg', { ecc: 'low', border: 4 }), 'image/svg+xml');
  svg.documentElement.setAttribute('aria-hidden', 'true');
  return document.importNode(svg.documentElement, true);
}

/** What reads codes: the browser's own, or else the library's. */
async function detector() {
  const own = /** @type {any} */ (globalThis).BarcodeDetector;
  const formats = await own?.getSupportedFormats().catch(() => []);
  const Detector = formats?.includes('qr_code') ? own : (await import('./qr/decode.js')).BarcodeDetector;
  return new Detector({ formats: ['qr_code'] });
}

/**
 * Asks for the camera, also because a browser that may use it tells this phone's addresses: else it tells that of the
 * way to the internet alone, under another name, or none. Whether it may be used.
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
 * Reads the first code that the camera sees, whose picture is shown meanwhile. text: rejects where there is no camera,
 * and is '' once it was stopped.
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
