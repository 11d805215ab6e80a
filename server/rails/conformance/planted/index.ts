import { IN_ACCOUNT_MESSAGES } from './in-account-messages.ts'
import { IN_CALLS } from './in-calls.ts'
import { IN_MESSAGES } from './in-messages.ts'
import { IN_ORDERS } from './in-orders.ts'
import { IN_REFUNDS } from './in-refunds.ts'
import { IN_VERDICTS } from './in-verdicts.ts'
import type { RailFault } from './plant.ts'

/** Faulty adapters: each proves that a rule detects a fault. */
export const RAIL_FAULTS: readonly RailFault[] = [
  ...IN_MESSAGES,
  ...IN_ACCOUNT_MESSAGES,
  ...IN_VERDICTS,
  ...IN_CALLS,
  ...IN_ORDERS,
  ...IN_REFUNDS,
]
