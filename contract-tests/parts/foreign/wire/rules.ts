import type { Redact } from '../../../harness/curl.ts'
import type { RawExchange } from '../../wire/connection.ts'
import { endsConnection, readReplies, type BareReply } from '../../wire/replies.ts'
import {
  endBreaches,
  failureOf,
  NO_FAILURE,
  statusRule,
  wrongStatus,
  REPORTS_NOTHING,
  TOO_MANY,
  topicOf,
  type Breach,
  type Judge,
} from '../../wire/rules.ts'
import type { AllowedOutcomes, WireCase } from '../../wire/wire-case.ts'

/** Internals that a failing program discloses: stack frames, its own files, its database. */
const INTERNALS =
  /\n\s+at [^\n]+:\d+|node:internal|node_modules|\/(?:home|work|app|srv|usr)\/[\w./-]+\.\w+|Traceback \(most recent|\bselect .+ from |\bduplicate key value|root:[x*]:0:0/i

/** Checks the replies of a connection against HTTP alone. @param hide replaces secrets */
export const createForeignJudge =
  (hide: Redact): Judge =>
  (wireCase, { received, ended }) => {
    const { replies, fault, bytes } = readReplies(received, wireCase.bodiless)
    const text = received.toString('latin1')
    const [internals] = INTERNALS.exec(text) ?? []
    return {
      // Per reply: status and headers. Per connection: whole replies, their number, its end, no secret, no internals.
      checks: replies.length * 2 + 5,
      breaches: [
        ...wireCase.allowed.flatMap((allowed, index) => {
          const reply = replies[index]
          return reply ? replyBreaches(reply, allowed, wireCase) : []
        }),
        ...(fault === undefined
          ? endBreachesOf(wireCase, replies, ended)
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
        // A valid reply may contain what was sent; a refusal of an invalid request has nothing to repeat.
        ...(replies.every(({ status }) => status >= 400) && hide(text) !== text
          ? [{ rule: 'no byte of a refusal is a secret', what: 'the refusal repeats a credential of the request' }]
          : []),
        ...(internals === undefined
          ? []
          : [{ rule: REPORTS_NOTHING, what: `the reply contains ${JSON.stringify(internals.trim().slice(0, 40))}` }]),
      ],
    }
  }

function replyBreaches({ status, headers }: BareReply, allowed: AllowedOutcomes, wireCase: WireCase): Breach[] {
  const topic = topicOf(wireCase)
  if (!allowed.includes(status))
    return [
      status >= 500
        ? { rule: NO_FAILURE, what: failureOf(status), ...(status > 500 && { timed: true }) }
        : { rule: statusRule(topic), ...wrongStatus(status, allowed), ...(status === 408 && { timed: true }) },
    ]
  return headers.some(([header]) => header === 'x-injected')
    ? [
        {
          rule: 'nothing of a request becomes a header of a reply',
          what: 'the reply has the header X-Injected, which only the request named',
        },
      ]
    : []
}

/** A connection may stay open for the next request: nothing requires it to close (RFC 9112, section 9.3). */
function endBreachesOf(wireCase: WireCase, replies: readonly BareReply[], ended: RawExchange['ended']): Breach[] {
  const isAnswered = replies.length >= wireCase.allowed.length || replies.some(endsConnection)
  if (ended !== 'open') return endBreaches(wireCase, replies, ended)
  return isAnswered
    ? []
    : [
        {
          rule: 'a connection is answered or ended',
          what: 'the server sent no reply in time, and did not close the connection',
          timed: true,
        },
      ]
}
