/**
 * Types that the checker can't find for the pocket's workers: the fetched interpreter, and a service worker's globals.
 */
declare module '*/pyodide.mjs' {
  export const loadPyodide: any;
}

declare module '*/pyodide.asm.mjs' {
  const createModule: any;
  export default createModule;
}

declare var registration: ServiceWorkerRegistration;
declare var clients: Clients;
declare function skipWaiting(): Promise<void>;
declare function addEventListener(type: string, listener: (event: any) => unknown): void;

/** A file of the folder, in the service worker's list. `packed` is its compressed bytes, 0 if it is not compressed. */
interface FolderFile {
  name: string;
  bytes: number;
  sha256: string;
  packed: number;
}
