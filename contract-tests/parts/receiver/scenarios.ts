import type { Size } from '../../harness/part.ts'
import { createDraw, type ScenarioDraw } from './draw.ts'
import {
  ACKNOWLEDGING,
  FAILING,
  garbage,
  hang,
  LATER,
  OK,
  REDIRECTING,
  redirectTo,
  REFUSING,
  reset,
  retryAfter,
  status,
  STOPPING,
  type ReceiverReply,
} from '../../driver/merchant-replies.ts'
import { bankCollection, bankPayout, collection, hosted, payout } from './scenario-makers.ts'
import type { Outcome, Scenario } from './scenario.ts'
import { SCHEDULE_ATTEMPTS } from './schedule.ts'

interface ScenarioOptions {
  readonly seed: number
  readonly size: Size
  /** Whether the clock can be moved: otherwise only first retries are played. */
  readonly canWait: boolean
  /** Different for every run against the same server: part of the phone numbers. */
  readonly run: number
}

const MINUTE_MS = 60_000
const COMPLETED: Outcome = { status: 'COMPLETED' }
const failed = (message: string): Outcome => ({ status: 'FAILED', message })
const TIMED_OUT = failed('The request timed out without a transfer')
const CANCELLED: Outcome = { status: 'CANCELLED' }

type Endings = Readonly<Record<string, readonly Outcome[]>>

/** The documented test numbers whose payments end on their own within seconds. */
const ENDINGS = {
  '001': [COMPLETED],
  '123': [COMPLETED],
  '871': [COMPLETED],
  '002': [failed('Insufficient balance on the customer account')],
  '456': [failed('Insufficient balance on the customer account')],
  '003': [TIMED_OUT],
  '004': [failed('The customer declined the request')],
  '008': [COMPLETED],
  '009': [COMPLETED],
} satisfies Endings
/** For payouts: failures are the recipient's; 005 needs no OTP. */
const PAYOUT_ENDINGS = {
  ...ENDINGS,
  '002': [failed("The recipient's account cannot receive the amount")],
  '456': [failed("The recipient's account cannot receive the amount")],
  '004': [failed('The recipient declined the request')],
  '005': [COMPLETED],
} satisfies Endings
const QUICK = ['001', '002', '003', '004', '123'] as const

/**
 * Every outcome once, and every answer of a merchant once (nightly: many times), for payments that the seed chooses.
 */
export function scenarios({ seed, size, canWait, run }: ScenarioOptions): readonly Scenario[] {
  const draw = createDraw(seed, run)
  const rounds = Array.from({ length: size === 'nightly' ? 40 : 1 })
  return [
    ...outcomes(draw, canWait),
    ...handshakes(draw, canWait),
    ...rounds.flatMap(() => replies(draw, canWait)),
    // Whatever the seed chose above: of each kind, one that a 410 stops.
    collection(draw, '001, stopped by HTTP 410', '001', [COMPLETED], { callbacks: [status(410)] }),
    payout(draw, '001, stopped by HTTP 410', '001', [COMPLETED], { callbacks: [status(410)] }),
    // It takes 15 seconds, whatever the clock shows.
    ...(size === 'nightly' && canWait ? [answered(draw, [hang, OK])] : []),
  ]
}

const outcomes = (draw: ScenarioDraw, canWait: boolean): readonly Scenario[] => [
  ...Object.entries(ENDINGS).map(([ending, expected]) => collection(draw, ending, ending, expected)),
  ...Object.entries(PAYOUT_ENDINGS).map(([ending, expected]) => payout(draw, ending, ending, expected)),
  collection(draw, '005, authorized', '005', [COMPLETED], { customer: 'authorizes' }),
  collection(draw, '006', '006', []),
  collection(draw, '007', '007', [TIMED_OUT, COMPLETED]),
  collection(draw, '007 that may not change', '007', [TIMED_OUT], {}, { allow_final_status_change: false }),
  collection(draw, '007 of a named customer that may not change', '007', [TIMED_OUT], {}, NAMED_AND_FIXED),
  bankPayout(draw, '001', [COMPLETED]),
  bankPayout(draw, '002', PAYOUT_ENDINGS['002']),
  hosted(draw, '001', '001', [COMPLETED], 'pays', {}, { charge_customer: true }),
  hosted(draw, '001 without the charge', '001', [COMPLETED], 'pays', {}, { charge_customer: false }),
  hosted(draw, '004', '004', ENDINGS['004'], 'pays'),
  hosted(draw, '005', '005', [COMPLETED], 'pays'),
  hosted(draw, 'cancelled', '001', [CANCELLED], 'cancels'),
  hosted(draw, '005, wrong OTPs', '005', [{ status: 'FAILED' }], 'guesses OTPs'),
  bankCollection(draw, '001', '001', [COMPLETED], 'pays'),
  bankCollection(draw, '002', '002', ENDINGS['002'], 'pays'),
  bankCollection(draw, 'cancelled', '001', [CANCELLED], 'cancels'),
  ...(canWait
    ? [
        collection(draw, '010', '010', [COMPLETED], { finalAfterMs: MINUTE_MS }),
        hosted(draw, 'expired', '001', [failed('Payment page expired')], 'never comes', {
          finalAfterMs: 30 * MINUTE_MS,
        }),
      ]
    : []),
]

/** An optional field alone may work, and be lost beside another one. */
const NAMED_AND_FIXED = { customer_name: 'Amina Nakato', allow_final_status_change: false }

const REJECTING = [400, 401, 403, 404, 410, 422]
const CONFIRMING = [status(201), status(204)]
const AGAIN = [...REDIRECTING, status(304), ...LATER, ...FAILING, reset, garbage, hang]

function handshakes(draw: ScenarioDraw, canWait: boolean): readonly Scenario[] {
  const requested = (name: string, outcome: Outcome, ...answers: readonly ReceiverReply[]): Scenario =>
    payout(draw, `with a handshake ${name}`, '001', [outcome], { handshakes: answers })
  const rejected = (code: number) => failed(`Payout rejected by the merchant's verification URL (HTTP ${code})`)
  const unanswered = "The merchant's verification URL did not answer"
  return [
    ...REJECTING.map((code) => requested(`answered ${code}`, rejected(code), status(code))),
    ...CONFIRMING.map((reply) => requested(`answered ${reply.name}`, COMPLETED, reply)),
    ...AGAIN.map((reply) => requested(`answered ${reply.name}, then 200`, COMPLETED, reply, OK)),
    ...(canWait
      ? [
          requested(
            'never answered well',
            failed(`${unanswered} (HTTP 503)`),
            status(500),
            reset,
            redirectTo(302),
            status(503),
          ),
          requested('never answered at the end', failed(unanswered), status(500), status(429), status(503), reset),
          requested('answered at the last try', COMPLETED, status(500), garbage, status(502), OK),
        ]
      : []),
  ]
}

function answered(draw: ScenarioDraw, callbacks: readonly ReceiverReply[]): Scenario {
  const ending = draw.pick(QUICK)
  const [make, endings] = draw.random() < 0.6 ? ([collection, ENDINGS] as const) : ([payout, PAYOUT_ENDINGS] as const)
  const name = `${ending}, callbacks answered ${callbacks.map((reply) => reply.name).join(', then ')}`
  return make(draw, name, ending, endings[ending], { callbacks })
}

/** Each answer of a merchant to its callbacks. */
function replies(draw: ScenarioDraw, canWait: boolean): readonly Scenario[] {
  /** Number of times an answer is given before the merchant acknowledges. */
  const more = (): readonly ReceiverReply[] =>
    canWait ? Array.from({ length: Math.floor(draw.random() * 3) }, () => draw.pick(REFUSING)) : []
  const withoutTime = REFUSING.filter((reply) => !('headers' in reply && 'retry-after' in (reply.headers ?? {})))
  return [
    ...ACKNOWLEDGING.map((reply) => answered(draw, [reply])),
    ...ACKNOWLEDGING.slice(0, 2).map((reply) => answered(draw, [draw.pick(REFUSING), reply])),
    ...STOPPING.map((reply) => answered(draw, [...more(), reply])),
    ...REFUSING.map((reply) => answered(draw, [reply, ...more(), OK])),
    ...(canWait
      ? [
          answered(draw, [retryAfter(503, 3_600), OK]),
          answered(
            draw,
            Array.from({ length: SCHEDULE_ATTEMPTS }, () => draw.pick(withoutTime)),
          ),
        ]
      : []),
  ]
}
