/**
 * What the checker can't know of the pocket's workers: the interpreter, which is fetched, and a service worker's
 * globals.
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

/** A file of the folder, as the list in the service worker names it. packed: its bytes compressed; 0 if it is not. */
interface FolderFile {
  name: string;
  bytes: number;
  sha256: string;
  packed: number;
}
