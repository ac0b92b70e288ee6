/**
 * The messages of a table to its pages, as types for their scripts. server/wire.py explains each field.
 * tests/server/show/test_script_types.py keeps the two in step.
 */
declare namespace Wire {
  interface DieView {
    place: number;
    face: number;
    status: string;
    fresh: boolean;
    label: string;
    word: string;
    marks: string | null;
  }

  interface Told {
    text: string;
    own: Record<number, string>;
  }

  interface Slot {
    face: number;
    want: number;
    preview: boolean;
  }

  interface RailView {
    slots: Slot[];
    label: Told;
    total_label: Told;
    total: string;
    said: Told;
  }

  interface BeamView {
    value: number;
    target: number;
    most: number;
    label: string;
    said: Told;
  }

  interface Rung {
    label: string;
    here: boolean;
    under: boolean;
  }

  interface Ladder {
    rungs: Rung[];
    foot: string;
    top: string;
  }

  interface SeatView {
    name: string;
    kind: string;
    here: boolean;
    turn: boolean;
    out: boolean;
    host: boolean;
    note: string;
    score: string;
    points: string;
    dice: number[];
    hand: string;
    votable: boolean;
    voted: number[];
    side: string;
    own_hand: string;
    own_keys: string;
    awaited: boolean;
    ready: boolean;
    vote_at: number;
  }

  interface Offer {
    move: string;
    label: string;
    key: string;
    takes: number[];
  }

  interface Tile {
    number: number;
    label: string;
    up: boolean;
  }

  interface Count {
    label: string;
    amount: string;
  }

  interface Things {
    label: string;
    tiles: Tile[];
    counts: Count[];
    said: string;
  }

  interface Button {
    do: string;
    label: string;
    ready: boolean;
    gold: boolean;
  }

  interface Sure {
    do: string;
    label: string;
    question: string;
    yes: string;
    no: string;
  }

  interface Standing {
    name: string;
    seat: number | null;
    wins: number;
    takings: Record<string, number>;
    told: string[];
    buys: boolean;
  }

  interface Evening {
    games: number;
    rows: Standing[];
    lead: string;
    buys: string[];
  }

  interface SealView {
    words: string[];
    digest: string;
    seal: string;
    unseeded: number[];
    opened: boolean;
    digests: string[];
    unopened: number[];
    header: string;
    line: string;
  }

  interface View {
    seq: number;
    shape: string;
    stage: string;
    mover: number | null;
    ask: string;
    rolls: number;
    places: number;
    dice: DieView[];
    heading: Told;
    status: Told;
    main: Button | null;
    sure: Sure | null;
    bank: Button | null;
    back: Button | null;
    rail: RailView | null;
    beam: BeamView | null;
    red: number[];
    beat: Told;
    scores: Told;
    standing: Told;
    whose: Told;
    counter: string;
    last: Told[];
    seats: SeatView[];
    clock: number | null;
    now: number;
    result: Told[];
    won: number[];
    won_dice: number[];
    rematch: string | null;
    paused: Told | null;
    evening: Evening | null;
    planned: string;
    queue: string[];
    grows: boolean;
    room: boolean;
    missing: number;
    due: number;
    won_with: string;
    won_red: number[];
    pays: number[];
    rounds: number[];
    tied: boolean;
    seal: SealView | null;
    ladder: Ladder | null;
    left: Told | null;
    moves: Offer[];
    things: Things | null;
    faces?: string[];
    verbs?: [string, string][];
    by_bot: boolean;
    example: string;
    dice_version: number;
    asked: Told | null;
    answers: number[];
    back_by: number | null;
  }

  interface Say {
    text: string;
    level: number;
    urgent: boolean;
    own: Record<number, string>;
  }

  interface React {
    seat: number;
    phrase: number;
    text: string;
  }

  interface Update {
    seq: number;
    log: string[];
    say: Say[];
    view: View;
    react: React | null;
  }

  interface ChanceNews {
    seq: number;
    html: string;
    say: string;
    line: Told;
  }
}
