import { patched } from '../../../openapi/operators/simulator/json.ts'
import type { Reply } from '../../../openapi/operators/simulator/operator.ts'
import { bodyOf, headersOf } from '../../../openapi/operators/simulator/wire/write.ts'
import { SECOND } from '../spans.ts'

/** What goes back on the wire. `breaksOff`: the connection ends after these bytes. */
export interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly breaksOff?: true
}

/** `reset`: the connection ends without a reply; `silence`: nothing ever comes. */
export type ComesBack = WireReply | 'reset' | 'silence'

/** What happens to one call between a process and the operator. */
export interface Way {
  readonly what: string
  /** Whether a byte goes out at all. */
  readonly isSent: boolean
  /** Whether it is a documented refusal. */
  readonly isRefusal?: true
  /** How long the request is under way; undefined: it never arrives. */
  readonly travelsMs: number | undefined
  /** @param honest the operator's answer; undefined where the request never arrived */
  comesBack(honest: Reply | undefined): ComesBack
}

export const written = (reply: Reply): WireReply => {
  const body = bodyOf(reply)
  return { status: reply.status, headers: headersOf(reply, body), body }
}

const PAGE = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'
const page = (status: number): WireReply => written({ status, body: PAGE, contentType: 'text/html' })

/** Half of what was said; of an answer without a body, a body that was to come. */
function cut(honest: Reply): WireReply {
  const whole = written(honest)
  const body = whole.body.subarray(0, Math.floor(whole.body.length / 2))
  return {
    ...whole,
    headers: { ...whole.headers, 'content-length': String(whole.body.length + 1) },
    body,
    breaksOff: true,
  }
}

const broken = (honest: Reply): WireReply =>
  written({ status: honest.status, body: { said: 'something else' }, contentType: 'application/json' })

const lost = (what: string, comesBack: Way['comesBack'], isSent = true): Way => ({
  what,
  isSent,
  travelsMs: undefined,
  comesBack,
})
const taken = (what: string, comesBack: (honest: Reply) => ComesBack, travelsMs = 0): Way => ({
  what,
  isSent: true,
  travelsMs,
  comesBack: (honest) => (honest ? comesBack(honest) : 'reset'),
})

export const HONEST: Way = taken('is answered', written)

/** What may happen to any call, as networks and fronts do it. */
export const WAYS: readonly Way[] = [
  HONEST,
  lost('gets no connection', () => 'reset', false),
  lost('is lost on its way', () => 'reset'),
  lost('is lost, and nobody says so', () => 'silence'),
  lost('is answered by a front with 503 and a page', () => page(503)),
  taken('is taken, and its answer is lost', () => 'reset'),
  taken('is taken, and nothing is answered', () => 'silence'),
  taken('is taken, and a front answers 502 with a page', () => page(502)),
  taken('is taken, and the answer breaks off', cut),
  taken('is taken, and the answer breaks the contract', broken),
  taken('is taken, and answered with an empty 200', () => written({ status: 200 })),
  taken('comes late', written, 4 * SECOND),
  taken('comes when nobody waits any more', written, 40 * SECOND),
]

/** Instead of the operator: it never looks at the call. */
export const instead = (what: string, reply: Reply): Way => lost(what, () => written(reply))

/** Nothing was begun, the operator says. */
export const refusing = (what: string, reply: Reply): Way => ({ ...instead(what, reply), isRefusal: true })

/** The operator acts on the call and answers something else. */
export const answeredAs = (what: string, reply: Reply): Way => taken(what, () => written(reply))

/** A good answer with other values in it. */
export const lying = (what: string, change: Readonly<Record<string, unknown>>): Way =>
  taken(what, (honest) =>
    written(honest.status === 200 ? { ...honest, body: patched(honest.body, fieldsOf(change, honest.body)) } : honest),
  )

/** Only what the answer has. */
const fieldsOf = (change: Readonly<Record<string, unknown>>, body: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(change).filter(([name]) => Object.hasOwn(Object(body) as object, name)))
