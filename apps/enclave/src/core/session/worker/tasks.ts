import { createHash, createHmac } from 'node:crypto';
import type { RuleFinding } from '@countersign/protocol/vault/review';
import { factsOf, factsText, type ReviewFacts } from '@countersign/review/facts';
import { maskAddress } from '@countersign/review/mask-address';
import type { Review } from '@countersign/review/observation';
import { readScriptAt } from '@countersign/review/presented';
import { type RequestFacts, requestFactsOf } from '@countersign/review/request/facts';
import type { SentRequest } from '@countersign/review/request/seen';
import { judgeRequest } from '@countersign/review/request/judge';
import { likenessOf } from '@countersign/review/request/likeness';
import { judge, type Judgement } from '@countersign/review/review';
import type { ScriptReading } from '@countersign/review/script/read';
import { boxesIn, type FrameBoxes } from '../../browser/boxes-in.ts';
import { type CopyRequest, maskedPage, type PageCopy } from '../../browser/mirror/copy.ts';
import type { MaskedPage } from '../../browser/mirror/draft.ts';
import { type Box, type Colour, paintOver } from '../../browser/png.ts';
import type { Room, Taken } from '../../masking/guesses.ts';
import type { Written } from '../../masking/literals.ts';
import { SessionMasker, type SecretKind } from '../session-masker.ts';
import { ShownWords } from '../shown-words.ts';
import type { Cookie } from '../withheld/cookie.ts';
import type { Resolved } from '../withheld/resolve.ts';
import type { Withholding } from '../withheld/withheld.ts';
import { Copies } from './copies.ts';
import { digestOf, Last } from './last.ts';

export type ReviewTask = {
  readonly review: Review;
  /** Salts the commitments; it is forgotten with them. */
  readonly salt: Uint8Array;
};

export type AddTask = {
  readonly secret: Uint8Array;
  readonly kind: SecretKind;
  /** `allowed_urls`: in pages elsewhere it is not looked for. Null: in all. */
  readonly where: readonly string[] | null;
};

export type WriteTask = {
  readonly written: Written;
  /** The quota that the tenant's sessions share. */
  readonly room: Pick<Room, 'guesses' | 'words'>;
};

export type HearTask = {
  readonly written: readonly Written[];
  readonly over: readonly string[];
  /** How words of this session were counted in a thread that has ended. */
  readonly own?: Pick<Taken, 'counted' | 'over'>;
};

export type WithholdTask = Omit<Withholding, 'known'> & {
  /** What an answer of another thread said; null: nothing. */
  readonly known: Uint8Array | null;
};

export type PaintTask = {
  readonly png: Uint8Array;
  readonly boxes: readonly Box[];
  readonly colour?: Colour;
};

export type RequestTask = {
  readonly sent: SentRequest;
  readonly about: Parameters<typeof requestFactsOf>[1];
};

export type RequestDone = {
  readonly facts: RequestFacts;
  readonly judged: ReturnType<typeof judgeRequest>;
  /** Null where nothing can be said to be like it. */
  readonly likeness: string | null;
};

export type ReviewDone = {
  readonly facts: ReviewFacts;
  readonly judgement: Judgement;
  /** The kind of a script; null if the operation is not a script. */
  readonly script: ScriptReading | null;
};

/**
 * The tasks of a session that run off the core's main thread: everything that parses what a tenant or a page
 * wrote.
 */
export type Tasks = {
  /** Masks this secret too from now on. */
  readonly add: (given: AddTask) => null;
  /** Forgets every secret that somebody may guess. */
  readonly forget: (given: null) => null;
  /** Gives the agent stand-ins from now on for what logs in by itself. */
  readonly withhold: (given: WithholdTask) => null;
  /** Returns an address that the agent wrote as the browser is to open it. */
  readonly resolve: (given: { readonly url: string }) => Resolved;
  /**
   * Notes text that the agent wrote, which is never compared with a secret. Returns how its words were
   * counted.
   */
  readonly write: (given: WriteTask) => Taken;
  /** Takes in text written in other sessions, and before this thread started. */
  readonly hear: (given: HearTask) => null;
  /** Each text by itself, as of a page at this address; null: wherever. */
  readonly mask: (given: {
    readonly texts: readonly string[];
    readonly url: string | null;
    readonly cookies?: readonly Cookie[];
  }) => string[];
  /** Returns the areas of a page that show secrets, from its snapshots. */
  readonly boxes: (given: {
    readonly snapshots: readonly Uint8Array[];
    readonly isGiven: boolean;
  }) => FrameBoxes[];
  /** Returns whether the page of these snapshots shows a secret, a name of an account not counted. */
  readonly shows: (given: { readonly snapshots: readonly Uint8Array[] }) => boolean;
  /** Values and keys of what JSON can say. */
  readonly json: (value: unknown) => unknown;
  readonly copy: (request: CopyRequest) => PageCopy;
  /** Null for what is no picture. */
  readonly paint: (given: PaintTask) => Uint8Array | null;
  readonly review: (task: ReviewTask) => ReviewDone;
  readonly request: (task: RequestTask) => RequestDone;
};
/**
 * Does one task. Of what the agent is given stand-ins of, `withheld` is all that is known, where the task learned more of it: it is
 * written out here, so that the main thread keeps it and reads none of it.
 */
export type Do = <T extends TaskName>(task: T, given: Given<T>) => Answer<T>;
export type Answer<T extends TaskName = TaskName> = {
  readonly done: Done<T>;
  readonly withheld: Uint8Array | null;
};
export type TaskName = keyof Tasks;
export type Given<T extends TaskName> = Parameters<Tasks[T]>[0];
export type Done<T extends TaskName> = ReturnType<Tasks[T]>;

/** Most bytes of facts that a record has room for. */
const maxFactsBytes = 48_000;

export const tooLarge: RuleFinding = {
  rule: 'record.too-large',
  verdict: 'deny',
  message: 'The operation cannot be recorded, because its record would be too large. Split the script.',
};

/** The tasks of one session, and what they remember of it: its secrets, what was written, and what its last page showed. */
export function sessionTasks(): Do {
  let masker = new SessionMasker();
  const shown = new ShownWords();
  const [copies, looks] = [new Copies(), new Last<FrameBoxes[]>()];
  const tasks: Tasks = {
    add: ({ secret, kind, where }) => {
      masker.add(secret, kind, where);
      secret.fill(0);
      return null;
    },
    forget: () => {
      masker = masker.unguessed();
      for (const last of [copies, looks]) last.clear();
      return null;
    },
    withhold: (given) => {
      const known = given.known === null ? [] : JSON.parse(Buffer.from(given.known).toString());
      masker.withheld.begin({ ...given, known });
      return null;
    },
    resolve: ({ url }) => masker.withheld.resolve(url),
    write: ({ written, room }) =>
      masker.write(written, { ...room, isShown: (word) => shown.has(word, masker.cut) }),
    hear: ({ written, over, own }) => {
      if (own !== undefined) masker.hearOwn(own);
      masker.hear(written, over);
      return null;
    },
    mask: (given) => masked(masker, given),
    boxes: ({ snapshots, isGiven }) =>
      wiping(snapshots, () =>
        looks.unless(digestOf(snapshots, [isGiven, masker.changes]), () =>
          boxesIn(snapshots, { all: masker.nodes, secrets: masker.secretNodes }, isGiven),
        ),
      ),
    shows: ({ snapshots }) =>
      wiping(snapshots, () =>
        boxesIn(snapshots, { all: masker.secretNodes, secrets: masker.secretNodes }, false).some(
          ({ boxes }) => boxes.length > 0,
        ),
      ),
    json: (value) => masker.json(value),
    copy: (request) =>
      wiping(request.snapshots, () => {
        masker.noteCookies(request.cookies ?? []);
        const key = digestOf(request.snapshots, [request.frames, masker.changes]);
        return copies.of(request.shown, key, () => copied(masker, shown, request));
      }),
    paint: ({ png, boxes, colour }) => paintOver(Buffer.from(png), boxes, colour),
    review: (task) => reviewed(masker, task),
    request: (task) => judged(masker, task),
  };
  return (task, given) => {
    const done = tasks[task](given as never) as Done<typeof task>;
    const known = masker.withheld.takeNew();
    // A copy of its own: small buffers share one.
    return { done, withheld: known === null ? null : new TextEncoder().encode(JSON.stringify(known)) };
  };
}

function copied(masker: SessionMasker, shown: ShownWords, request: CopyRequest): MaskedPage {
  shown.clear();
  return maskedPage(
    request,
    (texts, url) => {
      const masked = masker.once(texts, url);
      // Where a secret is not looked for, it would be shown like any other word.
      if (masker.hidesAll(url)) shown.add(masked);
      return masked;
    },
    (texts, url) => masker.note(texts, url),
  );
}

function masked(masker: SessionMasker, { texts, url, cookies = [] }: Given<'mask'>): string[] {
  masker.noteCookies(cookies);
  return texts.map((text) => {
    // With its origin, which is cut off to be masked.
    masker.note([text], url);
    return maskAddress(text, (one) => masker.text(one, url));
  });
}

function reviewed(masker: SessionMasker, { review, salt }: ReviewTask): ReviewDone {
  const commit = (text: string) => createHmac('sha256', salt).update(text).digest('hex');
  const facts = factsOf(review, { commit, mask: masker.text });
  salt.fill(0);
  const { operation, observation } = review;
  const script =
    operation.operation_type === 'execute_script' ? readScriptAt(operation.value, observation.url) : null;
  return { facts, judgement: withRoom(facts, judge(facts)), script };
}

function judged(masker: SessionMasker, { sent, about }: RequestTask): RequestDone {
  const facts = requestFactsOf(sent, about, masker.text);
  const likeness = likenessOf(sent);
  return { facts, judged: judgeRequest(facts), likeness: likeness && sha256(likeness) };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Pages show secrets: of what was handed over to be looked at nothing is left. */
function wiping<T>(snapshots: readonly Uint8Array[], look: () => T): T {
  try {
    return look();
  } finally {
    for (const snapshot of snapshots) snapshot.fill(0);
  }
}

const withRoom = (facts: ReviewFacts, judgement: Judgement): Judgement =>
  Buffer.byteLength(factsText(facts)) <= maxFactsBytes
    ? judgement
    : { verdict: 'deny', rules: [...judgement.rules, tooLarge] };
