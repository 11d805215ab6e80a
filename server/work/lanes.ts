import { askRail } from '../actions/ask-rail.ts'
import { createCallbackReading, type ReadCallbackDeps } from '../actions/read-rail-callback.ts'
import { createDelivery, type DeliverDeps } from '../actions/deliver-callback.ts'
import { submitToRail } from '../actions/submit-to-rail.ts'
import { expirePages } from '../actions/expire-pages.ts'
import { holdFunds } from '../actions/hold-funds.ts'
import type { PaymentStepDeps } from '../actions/payment-steps.ts'
import { releaseCredit } from '../actions/release-credit.ts'
import { sendOtp } from '../actions/send-otp.ts'
import { createPayoutVerification, type VerifyPayoutDeps } from '../actions/verify-payout.ts'
import type { Turns } from '../actions/ports/turns.ts'
import type { WorkKind } from '../actions/ports/work.ts'
import type { Lane } from './lane.ts'
import type { Timers } from './timers.ts'
import { createTurns, type TurnsOptions } from './turns.ts'

const CAPACITY = 1_280
/** Set-based work is gathered for so long: fewer and larger commits, which no customer notices. */
const GATHER_MS = 25
/** A batch takes a dozen round trips whatever its size. */
const SET_MAX = 500
/** Of what operators told by themselves each message has a commit of its own, and its text in memory. */
const MESSAGES_MAX = 256
/**
 * Of work that waits for operators each of them has one batch at a time: this is room for 32 that all hang, and for those
 * that do not.
 */
const BATCHES_MAX = 33
/** Asked, told, and asked again, each of which an operator may draw out for 25 s; and the commits between. */
const WITH_OPERATORS_MS = 100_000
/**
 * A host that is slow or dead takes this much of what callbacks and handshakes may take, and no more; neither does a
 * merchant by having many hosts: whatever it does, one merchant runs at most 128 and with what waits holds 1,024 of the
 * capacity. The rest is for the others.
 */
export const OUTBOUND_TURNS: TurnsOptions = {
  perHost: { runningMax: 128, waitingMax: 896 },
  perMerchant: { runningMax: 128, waitingMax: 896 },
  waitMs: 5_000,
  awayMs: 100,
}

const inSets = { batchMax: SET_MAX, capacity: SET_MAX, runsMax: 1 } as const

const withOperators = {
  batchMax: SET_MAX,
  capacity: BATCHES_MAX * SET_MAX,
  runsMax: 1,
  takesMs: WITH_OPERATORS_MS,
} as const

export type LaneDeps = ReadCallbackDeps &
  Omit<DeliverDeps, 'turns'> &
  PaymentStepDeps &
  Omit<VerifyPayoutDeps, 'turns'> & { readonly timers: Timers }

/**
 * Every kind of work with its bounds. Payments go in batches, one commit each; callbacks one by one, many at a time.
 * @param depsOf what a kind works with: its connections to the database are a share of its own
 */
export function createLanes(depsOf: (kind: WorkKind) => LaneDeps): readonly Lane[] {
  const lane = (kind: WorkKind, bounds: Omit<Lane, 'kind' | 'run'>, runOf: (deps: LaneDeps) => Lane['run']): Lane => ({
    kind,
    ...bounds,
    run: runOf(depsOf(kind)),
  })
  const outbound = (kind: WorkKind, runOf: (deps: LaneDeps & { readonly turns: Turns }) => Lane['run']): Lane => {
    const { shares, turns } = createTurns(OUTBOUND_TURNS, depsOf(kind).timers)
    return lane(kind, { batchMax: 64, capacity: CAPACITY, shares }, (deps) => runOf({ ...deps, turns }))
  }
  return [
    outbound('verifyPayout', createPayoutVerification),
    lane('holdFunds', { ...inSets, everyMs: GATHER_MS }, (deps) => (items) => [holdFunds(deps, items)]),
    lane('submitToRail', { ...withOperators, everyMs: GATHER_MS }, (deps) => (items, inParts) => [
      submitToRail(deps, items, inParts),
    ]),
    lane('askRail', withOperators, (deps) => (items, inParts) => [askRail(deps, items, inParts)]),
    lane('findOrder', withOperators, (deps) => (items, inParts) => [askRail(deps, items, inParts)]),
    lane(
      'readRailCallback',
      { ...withOperators, batchMax: MESSAGES_MAX, capacity: BATCHES_MAX * MESSAGES_MAX },
      createCallbackReading,
    ),
    outbound('deliverCallback', createDelivery),
    lane('expirePage', { batchMax: 100, capacity: 100, runsMax: 1 }, (deps) => (items) => [expirePages(deps, items)]),
    lane('sendOtp', { batchMax: 64, capacity: 256 }, (deps) => (items) => items.map((item) => sendOtp(deps, item))),
    lane('clearFunds', inSets, (deps) => (items) => [releaseCredit(deps, 'clearing', items)]),
    lane('releaseReserve', inSets, (deps) => (items) => [releaseCredit(deps, 'reserve_release', items)]),
  ]
}
