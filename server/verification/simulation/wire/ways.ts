import { patched } from '../../../../openapi/operators/simulator/json.ts'
import type { OperatorReply } from '../../../../openapi/operators/simulator/operator.ts'
import { bodyOf, headersOf } from '../../../../openapi/operators/simulator/wire/write.ts'
import { SECOND } from '../spans.ts'

/** The bytes sent back. `breaksOff`: the connection ends after them. */
interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly breaksOff?: true
}

/** `reset`: the connection ends without a reply; `silence`: nothing ever arrives. */
export type ComesBack = WireReply | 'reset' | 'silence'

/** The fate of one call between a process and the operator. */
export interface CallFault {
  readonly what: string
  /** Whether a byte is sent at all. */
  readonly isSent: boolean
  /** Whether it is a documented rejection. */
  readonly isRefusal?: true
  /** How long the request is in transit; undefined: it never arrives. */
  readonly travelsMs: number | undefined
  /** @param honest the operator's reply; undefined if the request never arrived */
  comesBack(honest: OperatorReply | undefined): ComesBack
}

export const written = (reply: OperatorReply): WireReply => {
  const body = bodyOf(reply)
  return { status: reply.status, headers: headersOf(reply, body), body }
}

const PAGE = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'
const page = (status: number): WireReply => written({ status, body: PAGE, contentType: 'text/html' })

/** Half of the reply; for a reply without a body, the announcement of a body. */
function cut(honest: OperatorReply): WireReply {
  const whole = written(honest)
  const body = whole.body.subarray(0, Math.floor(whole.body.length / 2))
  return {
    ...whole,
    headers: { ...whole.headers, 'content-length': String(whole.body.length + 1) },
    body,
    breaksOff: true,
  }
}

const broken = (honest: OperatorReply): WireReply =>
  written({ status: honest.status, body: { said: 'something else' }, contentType: 'application/json' })

const lost = (what: string, comesBack: CallFault['comesBack'], isSent = true): CallFault => ({
  what,
  isSent,
  travelsMs: undefined,
  comesBack,
})
const taken = (what: string, comesBack: (honest: OperatorReply) => ComesBack, travelsMs = 0): CallFault => ({
  what,
  isSent: true,
  travelsMs,
  comesBack: (honest) => (honest ? comesBack(honest) : 'reset'),
})

export const HONEST: CallFault = taken('is answered', written)

/** The possible fates of any call, as caused by networks and front ends. */
export const WAYS: readonly CallFault[] = [
  HONEST,
  lost('gets no connection', () => 'reset', false),
  lost('is lost on its way', () => 'reset'),
  lost('is lost without an error', () => 'silence'),
  lost('is answered by a front with 503 and a page', () => page(503)),
  taken('is taken, and its answer is lost', () => 'reset'),
  taken('is taken, and nothing is answered', () => 'silence'),
  taken('is taken, and a front answers 502 with a page', () => page(502)),
  taken('is taken, and the answer breaks off', cut),
  taken('is taken, and the answer breaks the contract', broken),
  taken('is taken, and answered with an empty 200', () => written({ status: 200 })),
  taken('comes late', written, 4 * SECOND),
  taken('comes after the timeout', written, 40 * SECOND),
]

/** A front end replies instead of the operator, which never sees the call. */
export const instead = (what: string, reply: OperatorReply): CallFault => lost(what, () => written(reply))

/** The operator says that nothing was begun. */
export const refusing = (what: string, reply: OperatorReply): CallFault => ({
  ...instead(what, reply),
  isRefusal: true,
})

/** The operator carries out the call and replies something else. */
export const answeredAs = (what: string, reply: OperatorReply): CallFault => taken(what, () => written(reply))

/** A good reply with other values in it. */
export const lying = (what: string, change: Readonly<Record<string, unknown>>): CallFault =>
  taken(what, (honest) =>
    written(honest.status === 200 ? { ...honest, body: patched(honest.body, fieldsOf(change, honest.body)) } : honest),
  )

/** Only fields that the reply has. */
const fieldsOf = (change: Readonly<Record<string, unknown>>, body: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(change).filter(([name]) => Object.hasOwn(Object(body) as object, name)))
