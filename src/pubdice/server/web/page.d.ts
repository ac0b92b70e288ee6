/**
 * The types that the checker can't know: the elements of the templates. So an element found by its id, by a selector or
 * in an event is `any`. Everything else is strict.
 */
interface NonElementParentNode {
  getElementById(id: string): any;
}

interface Document {
  getElementById(id: string): any;
}

interface ParentNode {
  querySelector(selector: string): any;
  querySelectorAll(selector: string): NodeListOf<any>;
}

interface Element {
  closest(selector: string): any;
}

interface Window {
  addEventListener(type: string, listener: (event: any) => unknown, capture?: boolean): void;
}

interface EventTarget {
  addEventListener(type: string, listener: (event: any) => unknown, capture?: boolean): void;
}

declare function addEventListener(type: string, listener: (event: any) => unknown, capture?: boolean): void;

/** Exports of plain scripts for the modules. They are no modules, so a saved page works without a host. */
declare var pubdiceHash: Record<string, any>;
declare var pubdiceCheck: Record<string, any>;

/** An element from a template, of the kind that the template gives it. */
type PageElement = any;

/**
 * The result of verify.js for a record of sealed dice. fault: none if all match. line, expected: of the first mismatch.
 */
interface Checked {
  fault?: string;
  rolls: number;
  line: number;
  expected: string;
  seal: string;
  chain: string;
  number: number;
  digest: string;
  shown: string;
  seed: string;
  seeds: string[];
  names: string[];
  players: string[];
  digests: string[];
  attempt: number;
  header: string;
}

/** Only Safari has these: gestures, and a flag for a page on the home screen. */
declare var GestureEvent: unknown;

interface Navigator {
  readonly standalone?: boolean;
}
