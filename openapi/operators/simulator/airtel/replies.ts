import type { OperatorReply, Problem } from '../operator.ts'
import type { Order } from '../world/order.ts'
import { MEANINGS } from './contract.ts'

/** The envelope: the texts are ours, a program reads the state. */
export const envelope = (
  data: object | undefined,
  status: { readonly code?: string; readonly success: boolean; readonly http?: number; readonly message?: string },
): OperatorReply => ({
  status: status.http ?? 200,
  body: {
    ...(data && { data }),
    status: {
      code: String(status.http ?? 200),
      message: status.message ?? MEANINGS[status.code ?? ''] ?? 'Done.',
      ...(status.code !== undefined && {
        [status.code.startsWith('ESB') ? 'result_code' : 'response_code']: status.code,
      }),
      success: status.success,
    },
  },
})

/** HTTP 200 with `success` false. */
export const refused = (code: string, http?: number, message?: string): OperatorReply =>
  code.startsWith('ROUTER')
    ? refusedByFront(code, http, message)
    : envelope(undefined, { code, success: false, ...(http && { http }), ...(message !== undefined && { message }) })

export const refusedByFront = (code: string, status = 400, message?: string): OperatorReply => ({
  status,
  body: { status_code: code, status_message: message ?? MEANINGS[code] ?? code },
})

/** What the server before it answers. */
export const textOfFront = (status: number, message: string): OperatorReply => ({ status, body: { message } })

/** Requests that never reach a handler. */
export function airtelProblem(problem: Problem): OperatorReply {
  switch (problem.problem) {
    case 'no_such_path':
    case 'wrong_method':
    case 'length_required':
      return textOfFront(404, 'no Route matched with those values')
    case 'invalid':
      return refusedByFront('ROUTER003', 400, problem.fault)
    case 'unauthorized':
      return textOfFront(401, 'Unauthorized')
  }
}

/** What countries say in the place of the documented code of a collection. */
const IN_ZAMBIA: Readonly<Record<string, string>> = {
  DP00800001006: 'DP00800001003',
  DP00800001001: 'DP00800001006',
  DP00800001007: 'DP00800001005',
  DP00800001008: 'DP00800001007',
  DP00800001029: 'DP00800001009',
  DP00800001025: 'DP00800001010',
}
/** Congo's notes have the deprecated codes. */
const IN_CONGO: Readonly<Record<string, string>> = {
  DP00800001001: 'ESB000010',
  DP00800001025: 'ESB000045',
  DP00900001001: 'ESB000010',
  DP00900001015: 'ESB000045',
}
const OF_FAILURES: ReadonlySet<string> = new Set(['DP00800001007', 'DP00800001008', 'DP00900001013'])

export function codeIn(country: string, code: string): string {
  if (country === 'ZM') return IN_ZAMBIA[code] ?? code
  if (country === 'CG') return IN_CONGO[code] ?? (OF_FAILURES.has(code) ? 'ESB000011' : code)
  return code
}

/** The customer has too little, or we have. */
export const WITHOUT_FUNDS = 'DP00800001007'

/** The state of an order and the documented code beside it. */
export function stateOf(order: Order, isReported: boolean): { readonly status: string; readonly code: string } {
  const isPayout = order.kind === 'disbursement'
  const family = isPayout ? 'DP0090000' : 'DP0080000'
  if (!isReported || order.state === 'waiting') return { status: 'TIP', code: `${family}1006` }
  if (order.state === 'succeeded') return { status: 'TS', code: `${family}1001` }
  const code = isPayout && order.code === WITHOUT_FUNDS ? 'DP00900001007' : (order.code ?? `${family}1005`)
  return { status: code === 'DP00800001029' ? 'TE' : 'TF', code }
}
