import { readContract } from '../../../openapi/reading/contract.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import { mobileCollection } from '../../driver/bodies.ts'
import { freshStart } from '../../driver/fresh-start.ts'
import type { RunOptions, Target } from '../../harness/part.ts'
import { wireRequest, type WireRequest } from '../../harness/proxy.ts'
import type { BareReply } from './replies.ts'
import { createJudge, type Breach } from './rules.ts'
import { createWriter, type AllowedOutcomes } from './wire-case.ts'
import type { WireSubject } from './subject.ts'

// What is known of our own contract: the statuses of its refusals, their envelope, the account's keys.

const LOOKUP = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'
const INITIALIZE = '/collections/initialize'
/** Account numbers of the cases. */
const ACCOUNTS = 10_000
/** Expected for invalid HTTP: a client error in the envelope, or a closed connection. */
const REFUSED: AllowedOutcomes = [400, 'close']
const JSON_TYPE = 'application/json; charset=utf-8'
/** Classes of errors and pages of HTML, which no reply of ours contains. */
const OUR_INTERNALS = /\/tmp\/[\w./-]+\.\w+|(?:Type|Range|Reference|Syntax)Error\b|<html/i

interface OurWriterOptions extends Pick<Target, 'publicKey' | 'sandbox'> {
  readonly host: string
  /** Where its account numbers begin. */
  readonly start: number
}

/** What writes the cases, a lookup, and a valid collection, new at each call. */
export function createOurRequests({ host, publicKey, sandbox, start }: OurWriterOptions) {
  let count = 0
  const usual = { 'public-key': publicKey, 'x-api-version': '1' }
  const lookup = wireRequest('GET', LOOKUP, usual)
  const body = (): object =>
    mobileCollection({
      merchant_reference: 'auto',
      // A new number for each, in every run: neither daily limits nor bounds of prompts matter here.
      msisdn: `25677${String((start + ++count) % ACCOUNTS).padStart(4, '0')}123`,
      amount: 500,
    })
  const collection = (content?: object): WireRequest =>
    wireRequest('POST', INITIALIZE, { ...usual, 'content-type': 'application/json' }, content)
  return {
    lookup,
    collection: (): WireRequest => collection(body()),
    writer: createWriter({
      host,
      lookup,
      submission: { request: collection(), text: () => JSON.stringify(body()) },
      outcomes: {
        must: (exact = REFUSED) => exact,
        may: (exact) => exact,
        good: (exact = [200]) => exact,
        // A gateway that is no sandbox may not know provider and number.
        accepted: sandbox ? [202] : [202, 400, 409],
      },
    }),
  }
}

/** A server of our contract. */
export function ourSubject(target: Target, { seed }: RunOptions): WireSubject {
  const { publicKey, secretKey, sandbox, receiver } = target
  const url = new URL(target.directUrl ?? target.url)
  const start = freshStart(target, seed * 1_000, ACCOUNTS)
  const { writer, lookup, collection } = createOurRequests({ host: url.host, publicKey, sandbox, start })
  const secrets = [secretKey, receiver?.signingKey, receiver?.webhookSecret].filter((secret) => secret !== undefined)
  return {
    url,
    writer,
    judge: createJudge({
      leaks: (text) => secrets.some((secret) => text.includes(secret)),
      internals: OUR_INTERNALS,
      formFaults: ourForm(target),
      endsConnections: true,
    }),
    secrets: { [publicKey]: 'PUBLIC_KEY', [secretKey]: 'SECRET_KEY' },
    good: [
      { name: 'lookup', make: () => lookup },
      // No payments on a third party's account.
      ...(sandbox ? [{ name: 'collection', make: collection }] : []),
    ],
  }
}

/** Every reply is the envelope; 405 names methods, and 401 the keys. */
function ourForm({ contract }: Target): (reply: BareReply, isBodiless: boolean) => readonly Breach[] {
  const { faultIn } = readContract(contract)
  // One object: a schema is compiled once per object.
  const errorReply = { $ref: '#/components/schemas/ErrorReply' }
  const envelopeFault = ({ status, body }: BareReply): string | undefined => {
    const envelope = jsonOf(Buffer.from(body))
    if (typeof envelope !== 'object' || envelope === null)
      return 'the server answered with a body that is no JSON object'
    if (!('code' in envelope) || envelope.code !== status) return 'the code in the body is not the status of the reply'
    const fault = status >= 400 ? faultIn(errorReply, envelope) : undefined
    return fault === undefined ? undefined : `the body does not fit the schema ErrorReply of the contract: ${fault}`
  }
  return (reply, isBodiless) => {
    const values = (name: string) => reply.headers.filter(([header]) => header === name).map(([, value]) => value)
    const contentTypes = values('content-type').join(' and ') || 'none'
    const envelope = isBodiless ? undefined : envelopeFault(reply)
    const more = `with ${reply.status}`
    return [
      contentTypes !== JSON_TYPE && {
        rule: `every reply is ${JSON_TYPE}`,
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
    ].filter((breach) => breach !== false)
  }
}
