/**
 * What the checker can't know of the pages: which elements the templates have, and of which kind. So an element that is
 * asked for by its id, a selector or an event is anything, and everything else is strict.
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

/** Plain scripts, so that a saved page works without a host, leave here what the others use of them. */
declare var pubdiceHash: Record<string, any>;
declare var pubdiceCheck: Record<string, any>;

/** An element that a template makes, of the kind that its place there says. */
type PageElement = any;

/**
 * What verify.js finds in a record of sealed dice. fault: none if all match; line, expected: of the first that does
 * not.
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

/** Safari alone has these: gestures, and whether a page was put on the home screen. */
declare var GestureEvent: unknown;

interface Navigator {
  readonly standalone?: boolean;
}
