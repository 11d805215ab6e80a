import { askRail } from '../actions/ask-rail.ts'
import { createDelivery, type DeliverDeps } from '../actions/deliver-callback.ts'
import { submitToRail, type RailDeps } from '../actions/submit-to-rail.ts'
import { expirePages } from '../actions/expire-pages.ts'
import { holdFunds } from '../actions/hold-funds.ts'
import type { PaymentStepDeps } from '../actions/payment-steps.ts'
import { releaseCredit } from '../actions/release-credit.ts'
import { createPayoutVerification, type VerifyPayoutDeps } from '../actions/verify-payout.ts'
import type { Lane } from './loop.ts'

/** Every kind of work with its bounds. Payments go in batches, one commit each; callbacks one by one, many at a time. */
export const createLanes = (deps: RailDeps & DeliverDeps & PaymentStepDeps & VerifyPayoutDeps): readonly Lane[] => [
  { kind: 'verifyPayout', batchMax: 64, capacity: 2_048, run: createPayoutVerification(deps) },
  { kind: 'holdFunds', batchMax: 200, capacity: 200, runsMax: 1, run: (items) => [holdFunds(deps, items)] },
  { kind: 'submitToRail', batchMax: 200, capacity: 200, runsMax: 1, run: (items) => [submitToRail(deps, items)] },
  { kind: 'askRail', batchMax: 200, capacity: 200, runsMax: 1, run: (items) => [askRail(deps, items)] },
  { kind: 'deliverCallback', batchMax: 64, capacity: 2_048, run: createDelivery(deps) },
  { kind: 'expirePage', batchMax: 100, capacity: 100, runsMax: 1, run: (items) => [expirePages(deps, items)] },
  { kind: 'clearFunds', batchMax: 200, capacity: 200, runsMax: 1, run: (items) => [releaseCredit(deps, 'clearing', items)] },
  { kind: 'releaseReserve', batchMax: 200, capacity: 200, runsMax: 1, run: (items) => [releaseCredit(deps, 'reserve_release', items)] },
]
