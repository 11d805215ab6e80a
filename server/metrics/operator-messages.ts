import { Counter, type Registry } from 'prom-client'
import type { Reception } from '../actions/ports/rail-callbacks.ts'

export interface OperatorMessageMetrics {
  /** A message of an operator came in. */
  operatorMessage(installation: string, reception: Reception | 'spooled' | 'refused'): void
}

/** Counts what operators tell by themselves, by installation: no more of them than an owner has set up. */
export function operatorMessageMetrics(registry: Registry): OperatorMessageMetrics {
  const messages = new Counter({
    name: 'malipo_operator_messages_total',
    help: 'Messages of operators by what became of them: stored, spooled (PostgreSQL did not take it in time: it counts again when it does), known (the same again), unknown_order, too_many (of one order), refused (wrong address).',
    labelNames: ['installation', 'reception'],
    registers: [registry],
  })
  return { operatorMessage: (installation, reception) => messages.inc({ installation, reception }) }
}
