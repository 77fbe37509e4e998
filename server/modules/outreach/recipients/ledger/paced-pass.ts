import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { processPart } from '#server/process-part.ts';
import type { ContactKind } from '#server/modules/numbers/health/index.ts';
import type { Ledger, SourceRef } from './ledger.ts';

/** Beyond it nobody is looked for whom nobody was found like. */
const longestMs = 5 * 60_000;

export type Wanted = Readonly<Record<ContactKind, boolean>>;

/**
 * How far a source's ledger has been gone through for those whom its phones may write to now: one step looks at some of
 * it, and who was passed comes again in the next pass. Kept only to save searching, so that each process has its own.
 */
export type Pass = {
  after: number;
  /** Whom the whole of this pass has looked for. */
  lookedFor: Wanted;
  hasFound: boolean;
  /** Entries before `after` still wait. */
  hasPassed: boolean;
  /** Why they do, where that is the same for all. */
  waitingFor: WaitingReason | null;
  /** The state that held entries back as this pass began; another state begins a new one. */
  key: string;
  /** The soonest that one of those who were passed may be written to. */
  soonest: Date | undefined;
  /** Nobody of a kind is found before that. */
  emptyUntil: Record<ContactKind, Date | undefined>;
};

const passesOf = processPart(() => new Map<string, Pass>());

const newPass = () => ({
  after: 0,
  lookedFor: { first: true, known: true },
  hasFound: false,
  hasPassed: false,
  soonest: undefined,
});

export function passOf(
  ctx: Pick<Context, 'process'>,
  { name }: Ledger,
  { accountId, sourceId }: SourceRef,
  key = '',
): Pass {
  const passes = passesOf(ctx);
  const place = `${name} ${accountId} ${sourceId}`;
  const known = passes.get(place);
  if (known?.key === key) return known;
  const pass = { ...newPass(), key, waitingFor: null, emptyUntil: { first: undefined, known: undefined } };
  passes.set(place, pass);
  return pass;
}

/** Nobody waits any more. */
export function endPasses(ctx: Pick<Context, 'process'>, { name }: Ledger, ref: SourceRef): void {
  passesOf(ctx).delete(`${name} ${ref.accountId} ${ref.sourceId}`);
}

/**
 * Runs a step of a source in one transaction. Where it fails, what its pass noted of it never happened: the pass begins
 * anew, so that nobody is taken for one who was passed.
 */
export async function inStep<C extends Context, T>(
  ctx: C,
  { ledger, ...ref }: SourceRef & { ledger: Ledger },
  work: (tx: Tx<C>) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(ctx, work);
  } catch (error) {
    endPasses(ctx, ledger, ref);
    throw error;
  }
}

/** Whom to look for now, of those whom the phones may write to. */
export function wantedNow(pass: Pass, contacts: Wanted, now: Date): Wanted {
  const absent = absentNow(pass, now);
  return { first: contacts.first && !absent.first, known: contacts.known && !absent.known };
}

/** Of which kinds a whole pass has lately found nobody who may be written to. */
export function absentNow({ emptyUntil }: Pass, now: Date): Wanted {
  const isEmpty = (kind: ContactKind) => (emptyUntil[kind]?.getTime() ?? 0) > now.getTime();
  return { first: isEmpty('first'), known: isEmpty('known') };
}

/** When the first of the kinds that the phones may write to is looked for again. */
export function lookedForAgainAt({ emptyUntil }: Pass, contacts: Wanted): Date | undefined {
  const ends = (['first', 'known'] as const).flatMap((kind) => (contacts[kind] ? (emptyUntil[kind] ?? []) : []));
  return ends.length > 0 ? new Date(Math.min(...ends.map((end) => end.getTime()))) : undefined;
}

/** Takes a step's outcome in; `isExhausted`: it came to the ledger's end. */
export function carryOn(
  pass: Pass,
  step: {
    after: number;
    wanted: Wanted;
    hasFound: boolean;
    hasPassed: boolean;
    nextAt: Date | undefined;
    isExhausted: boolean;
  },
  now: Date,
): void {
  const { lookedFor } = pass;
  pass.after = step.after;
  pass.hasFound ||= step.hasFound;
  pass.hasPassed ||= step.hasPassed;
  pass.lookedFor = { first: lookedFor.first && step.wanted.first, known: lookedFor.known && step.wanted.known };
  if (step.nextAt && (!pass.soonest || step.nextAt < pass.soonest)) pass.soonest = step.nextAt;
  if (!step.isExhausted) return;
  if (!pass.hasFound) {
    const latest = new Date(now.getTime() + longestMs);
    const until = pass.soonest && pass.soonest < latest ? pass.soonest : latest;
    if (pass.lookedFor.first) pass.emptyUntil.first = until;
    if (pass.lookedFor.known) pass.emptyUntil.known = until;
  }
  Object.assign(pass, newPass());
}
