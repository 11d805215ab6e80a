import type { Direction } from './provider-options.ts'

// The sandbox's test numbers, the last three digits of an account (docs, page "The sandbox").

/** A final state; without a message any text is accepted. */
export interface Outcome {
  readonly status: 'COMPLETED' | 'FAILED' | 'CANCELLED'
  readonly message?: string
}

export const COMPLETED: Outcome = { status: 'COMPLETED' }
export const failed = (message: string): Outcome => ({ status: 'FAILED', message })
export const TIMED_OUT = failed('The request timed out without a transfer')

/** It succeeds after its failure, unless the request forbids a late change. */
export const LATE = '007'
/** A collection needs an OTP; a payout succeeds. */
export const NEEDS_OTP = '005'
/** The operator is unreachable at first. */
export const UNREACHABLE = '008'

/** Every documented number succeeds, but these. */
const OUTCOMES: Readonly<Record<Direction, Readonly<Record<string, readonly Outcome[]>>>> = {
  COLLECTION: {
    '002': [failed('Insufficient balance on the customer account')],
    '003': [TIMED_OUT],
    '004': [failed('The customer declined the request')],
    '006': [],
    [LATE]: [TIMED_OUT, COMPLETED],
    '456': [failed('Insufficient balance on the customer account')],
  },
  PAYOUT: {
    '002': [failed("The recipient's account cannot receive the amount")],
    '003': [TIMED_OUT],
    '004': [failed('The recipient declined the request')],
    '006': [],
    [LATE]: [TIMED_OUT, COMPLETED],
    '456': [failed("The recipient's account cannot receive the amount")],
  },
}

/** The final states of a payment to this test number, in order; none: it stays PROCESSING. */
export const outcomesOf = (type: Direction, ending: string): readonly Outcome[] => OUTCOMES[type][ending] ?? [COMPLETED]
