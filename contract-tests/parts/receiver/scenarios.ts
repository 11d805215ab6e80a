import type { Size } from '../../harness/part.ts'
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
  retryAt,
  status,
  STOPPING,
  type ReceiverReply,
} from '../../driver/merchant-replies.ts'
import { COMPLETED, failed, LATE, NEEDS_OTP, TIMED_OUT, type Outcome } from '../../driver/test-numbers.ts'
import {
  bankCollection,
  bankPayout,
  collection,
  createDraw,
  hosted,
  payout,
  type ScenarioDraw,
} from './scenario-makers.ts'
import type { Scenario } from './scenario.ts'
import { SCHEDULE_ATTEMPTS } from './schedule.ts'

interface ScenarioOptions {
  readonly seed: number
  readonly size: Size
  /** Whether the clock can be moved: otherwise only first retries are played. */
  readonly canWait: boolean
  /** Different for every run against the same server: part of the phone numbers. */
  readonly run: number
  /** Whoever names operations waits for them, and not for slow answers. */
  readonly operations?: readonly string[]
}

const MINUTE_MS = 60_000
const CANCELLED: Outcome = { status: 'CANCELLED' }

/** Test numbers whose payments end on their own within seconds; for payouts also that of an OTP. */
const ENDINGS = ['001', '123', '871', '002', '456', '003', '004', '008', '009'] as const
const QUICK = ['001', '002', '003', '004', '123'] as const

/**
 * Every outcome once, and every answer of a merchant once (nightly: many times), for payments that the seed chooses.
 */
export function scenarios({ seed, size, canWait, run, operations }: ScenarioOptions): readonly Scenario[] {
  const draw = createDraw(seed, run)
  const rounds = Array.from({ length: size === 'nightly' ? 40 : 1 })
  return [
    ...outcomes(draw, canWait),
    ...handshakes(draw, canWait),
    ...rounds.flatMap(() => replies(draw, canWait)),
    // Whatever the seed chose above: of each kind, one that a 410 stops.
    collection(draw, '001, stopped by HTTP 410', '001', { callbacks: [status(410)] }),
    payout(draw, '001, stopped by HTTP 410', '001', { callbacks: [status(410)] }),
    // Most of the time that the gateway waits, and all of it, whatever the clock shows.
    ...(canWait && operations === undefined
      ? [
          answered(draw, [status(200, { afterMs: 11_000 })]),
          payout(draw, 'with a handshake answered after 3.5 s', '001', {
            handshakes: [status(200, { afterMs: 3_500 })],
          }),
        ]
      : []),
    ...(size === 'nightly' && canWait ? [answered(draw, [hang, OK])] : []),
  ]
}

const outcomes = (draw: ScenarioDraw, canWait: boolean): readonly Scenario[] => [
  ...[...ENDINGS, '006', LATE].map((ending) => collection(draw, ending, ending)),
  ...[...ENDINGS, NEEDS_OTP].map((ending) => payout(draw, ending, ending)),
  collection(draw, '005, authorized', NEEDS_OTP, { customer: 'authorizes' }),
  collection(draw, '007 that may not change', LATE, { outcomes: [TIMED_OUT] }, { allow_final_status_change: false }),
  // Its callback comes again when its collection is no longer what it says.
  collection(draw, '007, whose failure is not acknowledged at first', LATE, { callbacks: [status(500), OK] }),
  collection(draw, '007 of a named customer that may not change', LATE, { outcomes: [TIMED_OUT] }, NAMED_AND_FIXED),
  bankPayout(draw, '001'),
  bankPayout(draw, '002'),
  hosted(draw, '001', '001', 'pays', {}, { charge_customer: true }),
  hosted(draw, '001 without the charge', '001', 'pays', {}, { charge_customer: false }),
  hosted(draw, '004', '004', 'pays'),
  hosted(draw, '005', NEEDS_OTP, 'pays'),
  hosted(draw, 'cancelled', '001', 'cancels', { outcomes: [CANCELLED] }),
  hosted(draw, '005, wrong OTPs', NEEDS_OTP, 'guesses OTPs', { outcomes: [{ status: 'FAILED' }] }),
  bankCollection(draw, '001', '001', 'pays'),
  bankCollection(draw, '002', '002', 'pays'),
  bankCollection(draw, 'cancelled', '001', 'cancels', { outcomes: [CANCELLED] }),
  ...(canWait
    ? [
        // No result may end it, not even days without one.
        payout(draw, '006', '006'),
        collection(draw, '010', '010', { finalAfterMs: MINUTE_MS }),
        hosted(draw, 'expired', '001', 'never comes', {
          outcomes: [failed('Payment page expired')],
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
    payout(draw, `with a handshake ${name}`, '001', { outcomes: [outcome], handshakes: answers })
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
  const make = draw.random() < 0.6 ? collection : payout
  const name = `${ending}, callbacks answered ${callbacks.map((reply) => reply.name).join(', then ')}`
  return make(draw, name, ending, { callbacks })
}

/** Each answer of a merchant to its callbacks. */
function replies(draw: ScenarioDraw, canWait: boolean): readonly Scenario[] {
  /** Number of times an answer is given before the merchant acknowledges. */
  const more = (): readonly ReceiverReply[] =>
    canWait ? Array.from({ length: Math.floor(draw.random() * 3) }, () => draw.pick(REFUSING)) : []
  const withoutTime = REFUSING.filter((reply) => !('asksForMs' in reply))
  return [
    ...ACKNOWLEDGING.map((reply) => answered(draw, [reply])),
    ...ACKNOWLEDGING.slice(0, 2).map((reply) => answered(draw, [draw.pick(REFUSING), reply])),
    ...STOPPING.map((reply) => answered(draw, [...more(), reply])),
    ...REFUSING.map((reply) => answered(draw, [reply, ...more(), OK])),
    ...(canWait
      ? [
          answered(draw, [retryAfter(503, 3_600), OK]),
          answered(draw, [status(503), retryAfter(503, 900), OK]),
          // More than the longest wait that counts, and a time that has passed.
          answered(draw, [retryAfter(503, 108_000), OK]),
          ...[7_200, 108_000, -3_600].map((seconds) => answered(draw, [retryAt(seconds), OK])),
          answered(
            draw,
            Array.from({ length: SCHEDULE_ATTEMPTS }, () => draw.pick(withoutTime)),
          ),
        ]
      : []),
  ]
}
