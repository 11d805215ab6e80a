import type { OperatorReply } from '../../../../openapi/operators/simulator/operator.ts'
import type { Choices } from '../choices.ts'
import type { WiredKind } from './wired-kinds.ts'
import { answeredAs, HONEST, instead, lying, refusing, WAYS, type CallFault } from './ways.ts'

interface DrawnFor {
  readonly operation: string
  /** Whether it submits an order that the operator does not have yet: only such a call may be rejected. */
  readonly isNew: boolean
  readonly refusal: (code: string) => OperatorReply
  readonly unauthorized: () => OperatorReply
}

/** The probability of a fault per call, the harmless value first. */
export const WRONG_CALLS = [0.25, 0, 0.1, 0.6] as const

/**
 * The fate of a call while faults are injected: what networks do to any call, or what only this operator does to this
 * one.
 */
export function drawWay(choices: Choices, often: number, kind: WiredKind, call: DrawnFor): CallFault {
  const what = choices.rarely(often, 3)
  if (what === 0) return HONEST
  if (what === 1) return choices.of(HONEST, ...WAYS.slice(1))
  return choices.of(HONEST, ...ownWays(choices, kind, call))
}

function ownWays(
  choices: Choices,
  { orders, unclear, lie, unknownStatus }: WiredKind,
  call: DrawnFor,
): readonly CallFault[] {
  const { operation, isNew, refusal, unauthorized } = call
  if (operation === '') return []
  const code = choices.of(...unclear)
  const begun = Object.values(orders).find(({ submit }) => submit.includes(operation))
  const isQuestion = Object.values(orders).some(({ poll }) => poll.includes(operation))
  return [
    instead('is rejected: its token is invalid (401)', unauthorized()),
    instead(`is rejected: ${code}`, refusal(code)),
    answeredAs(`is taken and answered ${code}`, refusal(code)),
    ...(begun && isNew ? [refusing('is refused', refusal(choices.of(...begun.refusals)))] : []),
    ...(isQuestion
      ? [lying('is answered about another order', lie), lying('has an unknown status', unknownStatus)]
      : []),
  ]
}
