import { type MerchantShare, merchantPart } from './amount-limits.ts'
import { Refusal } from './refusal.ts'

// Limits per account number, over all merchants, transactions and processes. Without them, anybody with a public key
// could make a phone ring all day, guess OTPs by opening one collection after the other, or make a number unusable. One
// merchant has only a share of each limit, so that none can lock a customer out of all others.

/** OTPs sent, wrong OTPs entered, prompts and their declines count for this long. */
const USE_WINDOW_MS = 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000
/** Limit of payment pages of one account number that are open at the same time. */
export const OPEN_PAGES_MAX = 20

/** Set by the admin; see settings.ts. */
export interface AccountBounds {
  /** OTPs sent to an account number in 24 hours. */
  readonly otpSendsMax: number
  /** Wrong OTPs entered for an account number in 24 hours. */
  readonly otpWrongTriesMax: number
  /** Payment pages open at the same time. */
  readonly openPagesMax: number
  readonly promptsPerHourMax: number
  /** In 24 hours. */
  readonly promptsPerDayMax: number
  /** Prompts declined or left unanswered, without an approval between them, before a cool-down starts. */
  readonly promptDeclinesMax: number
  /** The first cool-down; each further decline doubles it. */
  readonly promptCoolDownMs: number
  readonly merchantShare: MerchantShare
}

/**
 * `prompt`: a request for approval on the phone, counted from when its order may go to the rail. `prompt_decline`: a
 * prompt that was declined or left unanswered.
 */
export type AccountUseKind = 'otp_send' | 'otp_wrong' | 'open_page' | 'prompt' | 'prompt_decline'

/** A use that counts toward a limit of an account number. */
export interface AccountUse {
  readonly kind: AccountUseKind
  /** Ordinal among the uses of its kind in its transaction, from 1. */
  readonly number: number
  readonly countsUntil: Date
}

/** A use of an account number, with the merchant of the payment: absent where an older version stored it. */
export interface MerchantUse extends AccountUse {
  readonly merchantId?: bigint | undefined
}

/** The reason that a merchant gets when a limit is reached. */
export type BoundKind = Exclude<AccountUseKind, 'prompt_decline'>

/** Limits how many uses of a kind may count at the same time. */
interface CountBound {
  readonly counts: AccountUseKind
  /** Counts only the last hour of the uses that count for a day. */
  readonly inLastHour?: true
  readonly max: number
  /** The share of one merchant. */
  readonly merchantMax: number
  readonly refusedAs: BoundKind
}

/**
 * After this many declines without an approval between them a cool-down starts, and each further decline extends it.
 */
interface CoolDown {
  readonly counts: 'prompt_decline'
  readonly coolDownMs: number
  readonly max: number
  readonly merchantMax: number
  readonly refusedAs: 'prompt'
}

type Bound = CountBound | CoolDown

/** A use, before it is checked against its limits. */
export interface BoundedUse extends AccountUse {
  readonly bounds: readonly Bound[]
}

/** The current count of one kind and one merchant for an account number; computed, not stored. */
export interface AccountTally {
  readonly kind: AccountUseKind
  readonly merchantId: bigint | undefined
  readonly count: number
  /** When the first and the last of these uses stop counting. */
  readonly firstEnds: Date
  readonly lastEnds: Date
  /** Uses of the last hour, of a kind that counts for a day. */
  readonly hourCount: number
  /** When the first of the uses of the last hour stops counting for a day; absent where there are none. */
  readonly hourFirstEnds?: Date | undefined
}

/** The limit that is reached, and when capacity is free again. */
export interface BoundReached {
  readonly bound: BoundKind
  readonly roomAt: Date
}

/** A use that counts for a day and ends after this time started within the last hour. */
export const lastHourEndsAfter = (now: Date): Date => new Date(now.getTime() + USE_WINDOW_MS - HOUR_MS)

/** Counts these uses of one account number by kind and merchant. */
export const tallyUses = (uses: readonly MerchantUse[], now: Date): readonly AccountTally[] =>
  uses.reduce<readonly AccountTally[]>((tallies, use) => addToTallies(tallies, use.merchantId, [use], now), [])

/** The tallies with these uses added. Hot path: each accepted payment that prompts passes here. */
export function addToTallies(
  tallies: readonly AccountTally[],
  merchantId: bigint | undefined,
  uses: readonly AccountUse[],
  now: Date,
): readonly AccountTally[] {
  if (uses.length === 0) return tallies
  const all = [...tallies]
  for (const { kind, countsUntil } of uses.filter((use) => use.countsUntil > now)) {
    const index = all.findIndex((one) => one.kind === kind && one.merchantId === merchantId)
    const inLastHour = countsUntil > lastHourEndsAfter(now)
    const added: AccountTally = {
      kind,
      merchantId,
      count: 1,
      firstEnds: countsUntil,
      lastEnds: countsUntil,
      hourCount: inLastHour ? 1 : 0,
      hourFirstEnds: inLastHour ? countsUntil : undefined,
    }
    const before = all[index]
    if (before) all[index] = sumOf(before, added)
    else all.push(added)
  }
  return all
}

const sumOf = (one: AccountTally, other: AccountTally): AccountTally => ({
  ...one,
  count: one.count + other.count,
  firstEnds: earlier(one.firstEnds, other.firstEnds) ?? one.firstEnds,
  lastEnds: later(one.lastEnds, other.lastEnds) ?? one.lastEnds,
  hourCount: one.hourCount + other.hourCount,
  hourFirstEnds: earlier(one.hourFirstEnds, other.hourFirstEnds),
})

const earlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other && other < one ? other : (one ?? other)
const later = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other && other > one ? other : (one ?? other)

/** @returns of all limits that are reached, the one that stays reached longest; undefined when none is reached */
export function boundReached(
  bounds: readonly Bound[],
  merchantId: bigint,
  tallies: readonly AccountTally[],
  now: Date,
): BoundReached | undefined {
  let longest: BoundReached | undefined
  for (const bound of bounds) {
    const alike = tallies.filter(({ kind }) => kind === bound.counts)
    const own = alike.filter((tally) => tally.merchantId === merchantId)
    const roomAt = 'coolDownMs' in bound ? coolDownEnd(bound, alike, own, now) : fullUntil(bound, alike, own, now)
    if (roomAt && (!longest || roomAt > longest.roomAt)) longest = { bound: bound.refusedAs, roomAt }
  }
  return longest
}

const sumBy = (tallies: readonly AccountTally[], count: (tally: AccountTally) => number): number =>
  tallies.reduce((sum, tally) => sum + count(tally), 0)

/** The limit is never exceeded, so there is capacity again as soon as one use stops counting. */
function fullUntil(
  { inLastHour, max, merchantMax }: CountBound,
  all: readonly AccountTally[],
  own: readonly AccountTally[],
  now: Date,
): Date | undefined {
  const within = (tallies: readonly AccountTally[], most: number): Date | undefined => {
    if (sumBy(tallies, ({ count, hourCount }) => (inLastHour ? hourCount : count)) < most) return undefined
    return endOf(tallies, earlier, inLastHour ? hourEnd : ({ firstEnds }) => firstEnds) ?? dayAfter(now)
  }
  return later(within(all, max), within(own, merchantMax))
}

/** The first or the last of the times that each tally has. */
const endOf = (
  tallies: readonly AccountTally[],
  choose: typeof earlier,
  of: (tally: AccountTally) => Date | undefined,
): Date | undefined => tallies.reduce<Date | undefined>((found, tally) => choose(found, of(tally)), undefined)

const hourEnd = ({ hourFirstEnds }: AccountTally): Date | undefined =>
  hourFirstEnds && new Date(hourFirstEnds.getTime() - USE_WINDOW_MS + HOUR_MS)

/**
 * Over all merchants, the declines at one merchant count up to that merchant's share: a customer who declines there
 * still pays at others.
 */
function coolDownEnd(
  { coolDownMs, max, merchantMax }: CoolDown,
  all: readonly AccountTally[],
  own: readonly AccountTally[],
  now: Date,
): Date | undefined {
  const pauseAfter = (tallies: readonly AccountTally[], beyond: number): Date | undefined => {
    const last = endOf(tallies, later, ({ lastEnds }) => lastEnds)
    if (!last || beyond < 0) return undefined
    const pauseMs = Math.min(coolDownMs * 2 ** Math.min(beyond, 20), USE_WINDOW_MS)
    return new Date(last.getTime() - USE_WINDOW_MS + pauseMs)
  }
  const counted = sumBy(all, ({ count }) => Math.min(count, merchantMax))
  const ownCount = sumBy(own, ({ count }) => count)
  const end = later(pauseAfter(all, counted - max), pauseAfter(own, ownCount - merchantMax))
  return end && end > now ? end : undefined
}

const dayAfter = (now: Date): Date => new Date(now.getTime() + USE_WINDOW_MS)

const shared = (max: number, { merchantShare }: AccountBounds) => ({
  max,
  merchantMax: merchantPart(max, merchantShare),
})

const wrongOtpBound = (refusedAs: BoundKind, bounds: AccountBounds): Bound => ({
  counts: 'otp_wrong',
  refusedAs,
  ...shared(bounds.otpWrongTriesMax, bounds),
})

const newPromptBounds = (bounds: AccountBounds): readonly Bound[] => [
  { counts: 'prompt', inLastHour: true, refusedAs: 'prompt', ...shared(bounds.promptsPerHourMax, bounds) },
  { counts: 'prompt', refusedAs: 'prompt', ...shared(bounds.promptsPerDayMax, bounds) },
  {
    counts: 'prompt_decline',
    refusedAs: 'prompt',
    coolDownMs: bounds.promptCoolDownMs,
    ...shared(bounds.promptDeclinesMax, bounds),
  },
]

/** Made once for the settings of a process: every prompt has the same. */
const PROMPT_BOUNDS = new WeakMap<AccountBounds, readonly Bound[]>()

function promptBounds(bounds: AccountBounds): readonly Bound[] {
  const made = PROMPT_BOUNDS.get(bounds) ?? newPromptBounds(bounds)
  PROMPT_BOUNDS.set(bounds, made)
  return made
}

/**
 * The use for sending the session's `number`th OTP; it counts for a day. No OTP is sent when the wrong tries are used
 * up, because it would not be checked, or when no prompt could follow it.
 */
export const otpSend = (number: number, bounds: AccountBounds, now: Date): BoundedUse => ({
  kind: 'otp_send',
  number,
  countsUntil: dayAfter(now),
  bounds: [
    { counts: 'otp_send', refusedAs: 'otp_send', ...shared(bounds.otpSendsMax, bounds) },
    wrongOtpBound('otp_send', bounds),
    ...promptBounds(bounds),
  ],
})

/** The use for a wrong OTP; it counts for a day. */
export const wrongOtp = (number: number, bounds: AccountBounds, now: Date): BoundedUse => ({
  kind: 'otp_wrong',
  number,
  countsUntil: dayAfter(now),
  bounds: [wrongOtpBound('otp_wrong', bounds)],
})

/** The use for an open payment page; it counts until the page ends. */
export const openPage = ({ expiresAt }: { readonly expiresAt: Date }, bounds: AccountBounds): BoundedUse => ({
  kind: 'open_page',
  number: 1,
  countsUntil: expiresAt,
  bounds: [{ counts: 'open_page', refusedAs: 'open_page', ...shared(bounds.openPagesMax, bounds) }],
})

/** The use for a prompt on the phone; it counts for a day. */
export const prompt = (bounds: AccountBounds, now: Date): BoundedUse => ({
  kind: 'prompt',
  number: 1,
  countsUntil: dayAfter(now),
  bounds: promptBounds(bounds),
})

/** The use for a prompt that was declined or left unanswered; it counts for a day, or until a prompt is approved. */
export const promptDecline = (now: Date): AccountUse => ({
  kind: 'prompt_decline',
  number: 1,
  countsUntil: dayAfter(now),
})

/** The refusal while no OTP is checked. */
export const wrongOtpRefusal = (): Refusal =>
  new Refusal('too_many_wrong_otps', 'Too many wrong one-time passwords for this account number within 24 hours')

/** The refusal when a limit is reached. It never says how much of the limit is used: a third party may be asking. */
export function boundRefusal({ bound, roomAt }: BoundReached, now: Date): Refusal {
  switch (bound) {
    case 'otp_send':
      return new Refusal('too_many_otps', 'Too many one-time passwords for this account number within 24 hours')
    case 'otp_wrong':
      return wrongOtpRefusal()
    case 'open_page':
      return new Refusal('too_many_open_pages', 'Too many open payment pages for this account number')
    case 'prompt': {
      // The day of a use that another process adds at this moment may end a little later than ours.
      const waitMs = Math.min(roomAt.getTime() - now.getTime(), USE_WINDOW_MS)
      const seconds = Math.max(1, Math.ceil(waitMs / 1000))
      return new Refusal(
        'too_many_prompts',
        `Too many approval prompts for this account number: try again in ${seconds} second${seconds === 1 ? '' : 's'}`,
        seconds,
      )
    }
  }
}
