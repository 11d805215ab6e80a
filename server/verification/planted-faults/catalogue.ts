import { FAULTS as CONTRACT_FAULTS } from '../../../contract-tests/strength/faults/all.ts'
import { RAIL_FAULTS } from '../../rails/conformance/planted/index.ts'
import type { RailFault } from '../../rails/conformance/planted/plant.ts'
import { ADMIN_FAULTS } from './in-admin-api.ts'
import { LIST_FAULTS } from './in-lists.ts'
import { BATCH_FAULTS } from './in-batches.ts'
import { PAYOUT_FAULTS } from './in-payouts.ts'
import { ATTEMPT_FAULTS } from './in-attempts.ts'
import { REFUND_FAULTS } from './in-refunds.ts'
import { SCHEDULE_FAULTS } from './in-schedules.ts'
import { WIRE_SCHEDULE_FAULTS } from './in-wire-schedules.ts'
import { UNREQUESTED_FAULTS } from './in-unrequested.ts'
import { WAITING_PAYOUT_FAULTS } from './in-waiting-payouts.ts'
import type { SourceFault } from './planted-fault.ts'

export type CatalogueFault = SourceFault | RailFault

/** Every planted fault: of the contract suite, the simulation's two forms, payouts that wait, the rules of rails, and the admin API. */
export const CATALOGUE: readonly CatalogueFault[] = [
  ...CONTRACT_FAULTS,
  ...SCHEDULE_FAULTS,
  ...LIST_FAULTS,
  ...PAYOUT_FAULTS,
  ...ATTEMPT_FAULTS,
  ...REFUND_FAULTS,
  ...BATCH_FAULTS,
  ...WIRE_SCHEDULE_FAULTS,
  ...WAITING_PAYOUT_FAULTS,
  ...UNREQUESTED_FAULTS,
  ...RAIL_FAULTS,
  ...ADMIN_FAULTS,
]

/** Faults outside the catalogue, chosen by somebody who did not know the tests: what they find of these is an estimate. */
export { BLIND_FAULTS } from './blind/index.ts'

export const isOfRail = (fault: CatalogueFault): fault is RailFault => fault.plant.in === 'adapter'
export const isOfSuite = (fault: CatalogueFault): fault is SourceFault =>
  CONTRACT_FAULTS.some(({ name }) => name === fault.name)
