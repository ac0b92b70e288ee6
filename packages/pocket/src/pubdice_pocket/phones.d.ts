/** The library that draws and reads codes: it is fetched when the folder is built. */
declare module '*/qr/index.js' {
  const encodeQR: (text: string, output: 'svg', how: { ecc: 'low'; border: number }) => string;
  export default encodeQR;
}

declare module '*/qr/decode.js' {
  export const BarcodeDetector: any;
}
