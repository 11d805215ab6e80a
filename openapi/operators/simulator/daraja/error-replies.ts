import type { Problem, OperatorReply } from '../operator.ts'
import { STATUS_BY_CODE } from './contract.ts'

/** Our own words: a program reads the code, and Safaricom may word them differently. */
const TEXTS: Readonly<Record<string, string>> = {
  '400.008.01': 'Invalid authentication',
  '400.008.02': 'Invalid grant type',
  '400.002.02': 'Invalid field',
  '400.003.01': 'Invalid token',
  '401.002.01': 'Invalid token',
  '404.001.03': 'Invalid token',
  '404.001.01': 'No such path',
  '405.001': 'Method not allowed',
  '500.001.1001': 'Being processed',
  '500.002.1001': 'Duplicate OriginatorConversationID',
  '500.003.02': 'The system is busy',
  '500.003.03': 'Quota violation',
  '500.003.1001': 'Internal error',
}

export type ErrorReply = (code: string, message?: string, status?: number) => OperatorReply

/** Refuses in Daraja's envelope; each refusal has its own `requestId`. */
export function createErrorReply(): ErrorReply {
  let number = 0
  return (code, message = TEXTS[code] ?? code, status = STATUS_BY_CODE[code] ?? 500) => ({
    status,
    body: { requestId: `11728-${++number}-1`, errorCode: code, errorMessage: message },
  })
}

/**
 * The reply to too many calls: in Daraja's envelope, or in that of the proxy in front of it.
 * @param mode the value of the quirk `throttled`
 */
export function throttledReply(mode: string | number | boolean, refuse: ErrorReply): OperatorReply {
  if (mode === 'front_spike') return frontFault('Spike arrest violation', 'policies.ratelimit.SpikeArrestViolation')
  if (mode === 'front_quota') return frontFault('Quota violation', 'policies.ratelimit.QuotaViolation')
  if (mode === 'quota') return refuse('500.003.03')
  return mode === 'busy' ? refuse('500.003.02') : refuse('500.003.02', 'Spike arrest violation')
}

const frontFault = (faultstring: string, errorcode: string): OperatorReply => ({
  status: 429,
  body: { fault: { faultstring, detail: { errorcode } } },
})

/** Refusals before a call is read. A wrong token is a 404 nearly everywhere; which calls have 401 is our choice. */
export function refuseProblem(problem: Problem, refuse: ErrorReply): OperatorReply {
  switch (problem.problem) {
    case 'no_such_path':
      return refuse('404.001.01')
    case 'wrong_method':
      return refuse('405.001')
    case 'length_required':
      return refuse('400.002.02', 'Invalid Content-Length')
    case 'invalid':
      if (problem.operation === 'createToken') return refuse('400.008.02')
      return refuse('400.002.02', `Invalid ${fieldIn(problem.fault)}`)
    case 'unauthorized':
      if (problem.operation === 'createToken') return refuse('400.008.01')
      return refuse(problem.operation === 'pullTransactions' ? '401.002.01' : '404.001.03')
  }
}

/** `requestBody Amount must be integer` → `Amount`; a missing field is named in the message, an extra one nowhere. */
function fieldIn(fault: string): string {
  const [first = ''] = fault.split('; ')
  return /'(\w+)'/.exec(first)?.[1] ?? /^requestBody (?!must )(\w+)/.exec(first)?.[1] ?? 'request'
}
