import { readContract } from '../../../openapi/reading/contract.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import type { Target } from '../../harness/part.ts'
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

interface Verdict {
  readonly checks: number
  readonly breaches: readonly Breach[]
}

/** Checks the replies of a connection. */
export type Judge = (wireCase: WireCase, conversation: RawExchange) => Verdict

const CONTENT_TYPE = 'application/json; charset=utf-8'
/** Internals that a failing program discloses: stack frames, its own files, its database. */
const INTERNALS =
  /\n\s+at [^\n]+:\d+|node:internal|node_modules|\/(?:home|work|app|srv|usr|tmp)\/[\w./-]+\.\w+|Traceback \(most recent|(?:Type|Range|Reference|Syntax)Error\b|\bselect .+ from |\bduplicate key value|<html/i

export const TOO_MANY = {
  rule: 'a request gets one reply',
  what: 'the server sent more replies than there were requests',
}
export const REPORTS_NOTHING = 'no reply discloses internals'

export const BESIDE = 'valid traffic goes on beside invalid'
/** Topic of a case: its name begins with it. */
export const topicOf = ({ name }: WireCase): string => name.split(':')[0] ?? ''
export const statusRule = (topic: string): string => `status of a reply (${topic})`
export const NO_FAILURE = 'no request makes the server fail'
/** Rules for every case. */
export const RULES: readonly string[] = [
  `every reply is ${CONTENT_TYPE}`,
  'every reply is the envelope',
  'every reply is whole HTTP',
  '405 names the allowed methods',
  '401 names the keys',
  'nothing of a request becomes a header of a reply',
  NO_FAILURE,
  'no byte of a reply is a secret',
  REPORTS_NOTHING,
  TOO_MANY.rule,
  'the server goes on listening',
  'a connection is answered and ended',
  'a request is answered',
  'a connection ends cleanly',
  BESIDE,
]

/** Reads the error schema of the contract. */
export function createJudge({ contract, secretKey, receiver }: Target): Judge {
  const { faultIn } = readContract(contract)
  const secrets = [secretKey, receiver?.signingKey, receiver?.webhookSecret].filter((secret) => secret !== undefined)

  // One object: a schema is compiled once per object.
  const errorReply = { $ref: '#/components/schemas/ErrorReply' }
  const errorFault = (value: unknown): string | undefined => faultIn(errorReply, value)
  return (wireCase, { received, ended }) => {
    const { replies, fault, bytes } = readReplies(received, wireCase.bodiless)
    const text = received.toString('latin1')
    const topic = topicOf(wireCase)
    const [internals] = INTERNALS.exec(text) ?? []
    return {
      // Per reply: status, content type, envelope, its headers. Per connection: whole replies, their number, its end,
      // no secret, no internals.
      checks: replies.length * 5 + 5,
      breaches: [
        ...wireCase.allowed.flatMap((allowed, index) => {
          const reply = replies[index]
          if (!reply) return []
          // A reply that should not be there is reported once: its other faults add nothing.
          const breach = statusBreach(reply, allowed, topic)
          return breach ? [breach] : formBreaches(reply, wireCase.bodiless ?? false, errorFault)
        }),
        ...(fault === undefined
          ? []
          : [
              {
                rule: 'every reply is whole HTTP',
                what: fault,
                timed: true,
                ...(bytes !== undefined && { more: bytes }),
              } as const,
            ]),
        ...(replies.length > wireCase.allowed.length
          ? [{ ...TOO_MANY, more: `${replies.length} to ${wireCase.allowed.length}` }]
          : []),
        ...(fault === undefined ? endBreaches(wireCase, replies, ended) : []),
        ...secrets
          .filter((secret) => text.includes(secret))
          .map(() => ({
            rule: 'no byte of a reply is a secret',
            what: 'the reply contains the secret key or a signing secret',
          })),
        ...(internals === undefined
          ? []
          : [{ rule: REPORTS_NOTHING, what: `the reply contains ${JSON.stringify(internals.trim().slice(0, 40))}` }]),
      ],
    }
  }
}

/** @param errorFault the fault in the body of a refusal */
function formBreaches(
  reply: BareReply,
  bodiless: boolean,
  errorFault: (value: unknown) => string | undefined,
): readonly Breach[] {
  const values = (name: string) => reply.headers.filter(([header]) => header === name).map(([, value]) => value)
  const contentTypes = values('content-type').join(' and ') || 'none'
  const envelope = bodiless ? undefined : envelopeFault(reply, errorFault)
  const more = `with ${reply.status}`
  return [
    contentTypes !== CONTENT_TYPE && {
      rule: `every reply is ${CONTENT_TYPE}`,
      what: `the server answered with the content type ${contentTypes}`,
      more,
    },
    envelope !== undefined && { rule: 'every reply is the envelope', what: envelope, more },
    reply.status === 405 &&
      values('allow').length !== 1 && {
        rule: '405 names the allowed methods',
        what: 'the server answered 405 without an Allow header (RFC 9110, section 15.5.6)',
      },
    reply.status === 401 &&
      values('www-authenticate').length === 0 && {
        rule: '401 names the keys',
        what: 'the server answered 401 without a WWW-Authenticate header (RFC 9110, section 15.5.2)',
      },
    values('x-injected').length > 0 && {
      rule: 'nothing of a request becomes a header of a reply',
      what: 'the reply has the header X-Injected, which only the request named',
    },
  ].filter((breach) => breach !== false)
}

function envelopeFault(
  { status, body }: BareReply,
  errorFault: (value: unknown) => string | undefined,
): string | undefined {
  const envelope = jsonOf(Buffer.from(body))
  if (typeof envelope !== 'object' || envelope === null) return 'the server answered with a body that is no JSON object'
  if (!('code' in envelope) || envelope.code !== status) return 'the code in the body is not the status of the reply'
  const fault = status >= 400 ? errorFault(envelope) : undefined
  return fault === undefined ? undefined : `the body does not fit the schema ErrorReply of the contract: ${fault}`
}

/** Statuses of an overloaded server. */
const BUSY = [408, 503, 504]

function statusBreach({ status }: BareReply, allowed: AllowedOutcomes, topic: string): Breach | undefined {
  if (allowed.includes(status)) return undefined
  const isBusy = BUSY.includes(status) && ({ timed: true } as const)
  if (status >= 500) return { rule: NO_FAILURE, what: failureOf(status), ...isBusy }
  return { ...isBusy, rule: statusRule(topic), ...wrongStatus(status, allowed) }
}

export const failureOf = (status: number): string => `the server failed with ${status}`

/** What came and what is right; the exact statuses are those of the first case. */
export function wrongStatus(status: number, allowed: AllowedOutcomes): Pick<Breach, 'what' | 'more'> {
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
export const endBreaches = (...conversation: Parameters<typeof endFaults>): Breach[] =>
  endFaults(...conversation).map((breach) => ({ ...breach, timed: true }))

function endFaults(
  { allowed, afterwards }: WireCase,
  replies: readonly BareReply[],
  ended: RawExchange['ended'],
): Pick<Breach, 'rule' | 'what'>[] {
  const missing = allowed[replies.length]
  const mayEnd = missing === undefined || missing.includes('close') || replies.some(endsConnection)
  if (ended === 'refused') return [{ rule: 'the server goes on listening', what: 'the server accepted no connection' }]
  if (ended === 'open')
    return [
      {
        rule: 'a connection is answered and ended',
        what: mayEnd ? 'the server did not close the connection in time' : 'the server sent no reply in time',
      },
    ]
  if (!mayEnd && afterwards === undefined)
    return [
      {
        rule: 'a request is answered',
        what: `the server ${ended === 'reset' ? 'cut' : 'closed'} the connection of a valid request without a reply`,
      },
    ]
  // A server may reset a connection whose request it has not read completely (RFC 9112, section 9.6); without a reply
  // it is no clean end.
  if (ended === 'reset' && afterwards === undefined && replies.length === 0)
    return [{ rule: 'a connection ends cleanly', what: 'the server cut the connection without a reply' }]
  return []
}
