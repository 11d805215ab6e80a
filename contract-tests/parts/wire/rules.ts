import type { RawExchange } from './connection.ts'
import { endsConnection, readReplies, type BareReply } from './replies.ts'
import type { AllowedOutcomes, WireCase } from './wire-case.ts'

/** A breach of a rule, as it happened: equal ones are one finding. */
export interface Breach {
  /** A rule in a few words. */
  readonly rule: string
  readonly what: string
  /** Details of the first case only. */
  readonly more?: string
  /** An overloaded machine can cause it. */
  readonly timed?: true
}

export interface Verdict {
  readonly checks: number
  readonly breaches: readonly Breach[]
}

/** Checks the replies of a connection. */
export type Judge = (wireCase: WireCase, conversation: RawExchange) => Verdict

/** Internals that a failing program discloses: stack frames, its own files, its database. */
const INTERNALS =
  /\n\s+at [^\n]+:\d+|node:internal|node_modules|\/(?:home|work|app|srv|usr)\/[\w./-]+\.\w+|Traceback \(most recent|\bselect .+ from |\bduplicate key value|root:[x*]:0:0/i

const REPORTS_NOTHING = 'no reply discloses internals'
const WHOLE = 'every reply is whole HTTP'
const ONE_REPLY = 'a request gets one reply'
const NO_SECRET = 'no byte of a reply is a secret'
const NO_INJECTION = 'nothing of a request becomes a header of a reply'
const NO_FAILURE = 'no request makes the server fail'

export const BESIDE = 'valid traffic goes on beside invalid'
/** Topic of a case: its name begins with it. */
export const topicOf = ({ name }: WireCase): string => name.split(':')[0] ?? ''
export const statusRule = (topic: string): string => `status of a reply (${topic})`
/** Rules for every case. */
export const RULES: readonly string[] = [
  WHOLE,
  NO_INJECTION,
  NO_FAILURE,
  NO_SECRET,
  REPORTS_NOTHING,
  ONE_REPLY,
  'the server goes on listening',
  'a connection is answered and ended',
  'a request is answered',
  'a connection ends cleanly',
  BESIDE,
]

interface JudgeOptions {
  /** Whether bytes of the server contain a secret. @param isRefusal whether nothing was accepted */
  readonly leaks: (text: string, isRefusal: boolean) => boolean
  /** Further internals. */
  readonly internals?: RegExp
  /** Faults in the form of a reply with an allowed status. */
  readonly formFaults?: (reply: BareReply, isBodiless: boolean) => readonly Breach[]
  /** Whether a connection ends with the client's side; HTTP does not require it (RFC 9112, section 9.3). */
  readonly endsConnections: boolean
}

/** Checks the replies of a connection. */
export function createJudge({ leaks, internals, formFaults, endsConnections }: JudgeOptions): Judge {
  return (wireCase, { received, ended }) => {
    const { allowed, bodiless = false } = wireCase
    const { replies, fault, bytes } = readReplies(received, bodiless)
    const text = received.toString('latin1')
    const [disclosed] = internals?.exec(text) ?? INTERNALS.exec(text) ?? []
    const isAnswered = replies.length >= allowed.length || replies.some(endsConnection)
    const mayStayOpen = ended === 'open' && isAnswered && !endsConnections
    const cut = { rule: WHOLE, what: fault ?? '', timed: true, ...(bytes !== undefined && { more: bytes }) } as const
    const isRefusal = replies.every(({ status }) => status >= 400)
    const ofWhole: readonly (Breach | false)[] = [
      fault !== undefined && cut,
      replies.length > allowed.length && {
        rule: ONE_REPLY,
        what: 'the server sent more replies than there were requests',
        more: `${replies.length} to ${allowed.length}`,
      },
      ...(fault === undefined && !mayStayOpen ? endBreaches(wireCase, replies, ended) : []),
      leaks(text, isRefusal) && {
        rule: NO_SECRET,
        what: 'the reply contains a secret key, a credential or a signing secret',
      },
      disclosed !== undefined && {
        rule: REPORTS_NOTHING,
        what: `the reply contains ${JSON.stringify(disclosed.trim().slice(0, 40))}`,
      },
    ]
    return {
      // Per reply: status, content type, envelope, its headers. Per connection: whole replies, their number, its end,
      // no secret, no internals.
      checks: replies.length * 5 + 5,
      breaches: [
        ...allowed.flatMap((outcomes, index) => {
          const reply = replies[index]
          if (!reply) return []
          // A reply that should not be there is reported once: its other faults add nothing.
          const breach = statusBreach(reply, outcomes, topicOf(wireCase))
          return breach ? [breach] : [...injections(reply), ...(formFaults?.(reply, bodiless) ?? [])]
        }),
        ...ofWhole.filter((breach) => breach !== false),
      ],
    }
  }
}

const injections = ({ headers }: BareReply): readonly Breach[] =>
  headers.some(([header]) => header === 'x-injected')
    ? [{ rule: NO_INJECTION, what: 'the reply has the header X-Injected, which only the request named' }]
    : []

/** Statuses of an overloaded server. */
const BUSY = [408, 503, 504]

function statusBreach({ status }: BareReply, allowed: AllowedOutcomes, topic: string): Breach | undefined {
  if (allowed.includes(status)) return undefined
  const isBusy = BUSY.includes(status) && ({ timed: true } as const)
  if (status >= 500) return { rule: NO_FAILURE, what: failureOf(status), ...isBusy }
  return { ...isBusy, rule: statusRule(topic), ...wrongStatus(status, allowed) }
}

const failureOf = (status: number): string => `the server failed with ${status}`

/** What came and what is right; the exact statuses are those of the first case. */
function wrongStatus(status: number, allowed: AllowedOutcomes): Pick<Breach, 'what' | 'more'> {
  const statuses = allowed.filter((each) => each !== 'close')
  const mayRefuse = allowed.includes('close') || statuses.some((each) => each >= 400)
  const maySucceed = statuses.some((each) => each < 400)
  const came = `the server answered ${status}`
  const shown = statuses.length > STATUSES_SHOWN_MAX ? 'any fitting 4xx' : statuses.join(' or ')
  const right = [...(shown === '' ? [] : [shown]), ...(allowed.includes('close') ? ['a closed connection'] : [])]
  const more = `right: ${right.join(', or ')}`
  if (status < 400 && !maySucceed) return { what: `${came} to a request that it must refuse`, more }
  if (status >= 400 && !mayRefuse) return { what: `${came} to a request that it must accept`, more }
  return { what: `${came}, which is not the status for this request`, more }
}

const STATUSES_SHOWN_MAX = 6

/** The fault in how a connection ended. */
function endBreaches(
  { allowed, afterwards }: WireCase,
  replies: readonly BareReply[],
  ended: RawExchange['ended'],
): readonly Breach[] {
  const breach = (rule: string, what: string): readonly Breach[] => [{ rule, what, timed: true }]
  const missing = allowed[replies.length]
  const mayEnd = missing === undefined || missing.includes('close') || replies.some(endsConnection)
  if (ended === 'refused') return breach('the server goes on listening', 'the server accepted no connection')
  if (ended === 'open') {
    const late = mayEnd ? 'the server did not close the connection in time' : 'the server sent no reply in time'
    return breach('a connection is answered and ended', late)
  }
  const did = ended === 'reset' ? 'cut' : 'closed'
  if (!mayEnd && afterwards === undefined)
    return breach('a request is answered', `the server ${did} the connection of a valid request without a reply`)
  // A server may reset a connection whose request it has not read completely (RFC 9112, section 9.6); without a reply
  // it is no clean end.
  if (ended === 'reset' && afterwards === undefined && replies.length === 0)
    return breach('a connection ends cleanly', 'the server cut the connection without a reply')
  return []
}
