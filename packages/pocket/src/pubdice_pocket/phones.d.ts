/** The library that draws and reads QR codes. The build fetches it. */
declare module '*/qr/index.js' {
  const encodeQR: (text: string, output: 'svg', how: { ecc: 'low'; border: number }) => string;
  export default encodeQR;
}

declare module '*/qr/decode.js' {
  export const BarcodeDetector: any;
}
