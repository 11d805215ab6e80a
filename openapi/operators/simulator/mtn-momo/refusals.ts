import type { Problem, OperatorReply } from '../operator.ts'
import { CONTRACT } from './contract.ts'

const CODES = new Map(CONTRACT['x-error-codes'].map((code) => [code.code, code]))

// The status of codes without a known one is the contract's guess: that of a refusal.
const STATUS_OF_OTHERS = 500

const LENGTH_PAGE = '<html><head><title>Length Required</title></head><body><h2>Length Required</h2></body></html>'

/** MTN's own form of a refusal. The texts are ours: a program reads the code. */
export function refused(code: string, status?: number, message?: string): OperatorReply {
  const known = CODES.get(code)
  return {
    status: status ?? known?.httpStatus ?? STATUS_OF_OTHERS,
    body: { code, message: message ?? known?.meaning ?? code },
  }
}

/** Replies of the proxy in front of the API. */
export const refusedByFront = (status: number, message: string): OperatorReply => ({
  status,
  body: { statusCode: status, message },
})

/** The reply to a token request with a wrong API user or key. */
export const loginFailed = (status: 401 | 500 = 401): OperatorReply => ({ status, body: { error: 'login_failed' } })

/** Requests that never reach a handler. */
export function mtnProblem(problem: Problem): OperatorReply {
  switch (problem.problem) {
    case 'no_such_path':
      return refusedByFront(404, 'Resource not found')
    case 'wrong_method':
      return refusedByFront(405, 'Method not allowed')
    case 'length_required':
      return { status: 411, body: LENGTH_PAGE, contentType: 'text/html' }
    case 'invalid':
      return refusedByFront(400, problem.fault)
    case 'unauthorized':
      return problem.scheme === 'apiUserAndKey'
        ? loginFailed()
        : refusedByFront(401, 'Access denied due to a missing or wrong token or subscription key')
  }
}
