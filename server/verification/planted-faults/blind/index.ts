import type { SourceFault } from '../planted-fault.ts'
import { ACCESS_FAULTS } from './access.ts'
import { ADDITION_FAULTS } from './additions.ts'
import { CALLBACK_FAULTS } from './callbacks.ts'
import { COLLECTION_FAULTS } from './collections.ts'
import { ERROR_FAULTS } from './errors.ts'
import { LIFECYCLE_FAULTS } from './lifecycle.ts'
import { MONEY_FAULTS } from './money.ts'
import { PAYOUT_FAULTS } from './payouts.ts'

/** Faults of every chapter of the service description, chosen without a look at the tests. */
export const BLIND_FAULTS: readonly SourceFault[] = [
  ...ERROR_FAULTS,
  ...ACCESS_FAULTS,
  ...MONEY_FAULTS,
  ...LIFECYCLE_FAULTS,
  ...CALLBACK_FAULTS,
  ...PAYOUT_FAULTS,
  ...COLLECTION_FAULTS,
  ...ADDITION_FAULTS,
]
