import { Counter, type Registry } from 'prom-client'
import type { Reception } from '../actions/ports/rail-callbacks.ts'

type MessageOutcome = Reception | 'spooled' | 'refused'
const COUNTED: readonly MessageOutcome[] = ['stored', 'spooled', 'known', 'unknown_order', 'too_many', 'refused']

export interface OperatorMessageMetrics {
  /** A message of an operator arrived. */
  operatorMessage(railAccount: string, reception: MessageOutcome): void
}

/**
 * Counts the unsolicited messages of operators by rail account: the series are limited by the rail accounts that staff
 * have set up.
 */
export function operatorMessageMetrics(registry: Registry): OperatorMessageMetrics {
  const messages = new Counter({
    name: 'malipo_operator_messages_total',
    help: 'Messages of operators by result: stored, spooled (PostgreSQL did not take it in time: it counts again when it does), known (the same again), unknown_order, too_many (of one order: answered 503), refused (wrong address).',
    labelNames: ['rail_account', 'reception'],
    registers: [registry],
  })
  return {
    operatorMessage(railAccount, reception) {
      // Starts at zero: Prometheus sees no increase in a series that begins with its first refusal.
      for (const each of COUNTED)
        messages.inc({ rail_account: railAccount, reception: each }, each === reception ? 1 : 0)
    },
  }
}
