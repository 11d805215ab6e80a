import { changed } from '../../openapi/reading/changed.ts'
import type { Contract, Operation } from '../../openapi/reading/contract.ts'
import { isJsonType, isObject } from '../../openapi/reading/json.ts'
import { shownBy } from '../../openapi/reading/operations.ts'
import { jsonOf } from '../../openapi/reading/wire.ts'
import { withoutKeys } from '../harness/curl.ts'
import { fieldsOf } from '../harness/json.ts'
import type { Target } from '../harness/part.ts'
import { passOn, type WireReply, type WireRequest } from '../harness/proxy.ts'
import { createCaseRunner, type CaseRunner, type Fault } from './case-runner.ts'
import { passing } from './clock.ts'
import type { ContractTarget } from './contract-target.ts'
import { plainText, type CreatedResource } from './contract-values.ts'
import { schemesOf, textsOf } from './credentials.ts'
import type { DeclaredCase } from './declared-case.ts'
import { at, toRequest, type Draft } from './draft.ts'
import { judgeReply, type ExactReplies } from './reply-judge.ts'
import { sendRequest, verifyRequest } from './requests.ts'
import type { TrafficKnowledge } from './traffic.ts'

// What the suite knows of our own contract: the keys of an account, texts that the gateway accepts once, the status
// that each request deserves.

type Account = Pick<Target, 'url' | 'publicKey' | 'secretKey' | 'contract' | 'sandbox'> & Partial<Pick<Target, 'own'>>

/**
 * The period of a statement at a server that others use too. The contract's example may be a month of so many entries
 * that they are too many for one reply.
 */
export function shortPeriod(now = Date.now()): { readonly from: string; readonly to: string } {
  const [from, to] = [now - 60_000, now].map((at) => new Date(at).toISOString()) as [string, string]
  return { from, to }
}

/** An account of ours, as a server with any contract. */
export function contractTarget(target: Account, contract: Contract): ContractTarget {
  const keyOf = new Map([
    ['public-key', target.publicKey],
    ['secret-key', target.secretKey],
  ])
  const credentials = schemesOf(contract).map((scheme) => ({ ...scheme, value: keyOf.get(scheme.field) ?? '' }))
  return {
    url: target.url,
    contract: target.contract,
    credentials: Object.fromEntries(credentials.map((credential) => [credential.name, credential])),
    headers: {},
    values: { refusals: [], operations: target.own ? {} : { getStatement: { parameters: shortPeriod() } } },
    hide: (text, asVariable) => withoutKeys(text, target, asVariable),
    secrets: { [target.publicKey]: 'PUBLIC_KEY', [target.secretKey]: 'SECRET_KEY' },
  }
}

/** The status that each request deserves. @param isSandbox whether the examples succeed: other accounts may lack what they name */
const exactReplies = (isSandbox: boolean): ExactReplies => ({
  statusesFor({ operation, expect, statuses, methods }) {
    if (statuses) return statuses
    if (expect === 'refused' || expect === 'strict') return [400]
    if (expect === 'unauthorized') return [401]
    if (expect === 'nowhere') return [methods ? 405 : 404]
    return expect === 'either' ? undefined : [successOf(operation)]
  },
  mayRefuse: ({ expect }) => expect === 'accepted' || expect === 'ignored' || (expect === 'success' && !isSandbox),
  faults: ourReplyFaults,
})

const successOf = ({ responses }: Operation): number =>
  Number(responses.find(({ status }) => status.startsWith('2'))?.status ?? 200)

/** Faults of a reply of our contract that its schema does not show. @param isAccepted whether its status is right */
function ourReplyFaults(of: DeclaredCase, reply: WireReply, isAccepted: boolean): readonly Fault[] {
  const { rule, request, replayed } = of
  const { status, headers } = reply
  const body = fieldsOf(jsonOf(reply.body))
  const reported = `${rule} was answered ${status}`
  const isReplay = headers['idempotency-replayed'] !== undefined
  const faults: readonly (Fault | false)[] = [
    isReplay &&
      request.headers['idempotency-key'] === undefined && {
        key: 'replay of nothing',
        what: `a reply ${status} says Idempotency-Replayed, and the request had no Idempotency-Key`,
      },
    body['code'] !== undefined &&
      body['code'] !== status && {
        key: 'code',
        what: `a reply ${status} has the code ${JSON.stringify(body['code'])} in its body`,
      },
    isAccepted &&
      replayed === true &&
      !isReplay && { key: 'replayed', what: `${reported} without Idempotency-Replayed` },
    isAccepted &&
      replayed === false &&
      isReplay && { key: 'not replayed', what: `${reported} with Idempotency-Replayed` },
  ]
  return faults.filter((fault) => fault !== false)
}

/** Sends requests of our contract, and expects exactly the status that each deserves. */
export function createOurRunner(target: Account, contract: Contract): CaseRunner<DeclaredCase> {
  const { url, hide, credentials } = contractTarget(target, contract)
  const exactly = exactReplies(target.sandbox)
  const judging = { contract, credentials, refusals: [], hasValues: () => false, remark: () => undefined, exactly }
  return createCaseRunner({
    url,
    hide,
    judge: (request, reply) => judgeReply(judging, request, reply),
    // A server may close the connection on a body that it refuses to read.
    mayClose: ({ statuses }) => statuses?.includes(413) === true,
  })
}

/** The gateway accepts a text of this kind only once. */
const REFERENCES = ['merchant_reference', 'batch_reference']
const PHONE_NUMBERS = ['msisdn', 'account_number']

/** An example with a new reference (`auto` stays), and a new phone number with the same ending. */
export function renewed(body: unknown, next: () => number): unknown {
  if (!isObject(body)) return body
  const digits = String(next()).padStart(8, '0')
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (Array.isArray(value)) return [name, value.map((item: unknown) => renewed(item, next))]
      if (REFERENCES.includes(name) && typeof value === 'string' && /\d/.test(value))
        return [name, `${value.replace(/\d.*$/, '')}${digits}`]
      if (PHONE_NUMBERS.includes(name) && typeof value === 'string' && /^\d{12}$/.test(value))
        return [name, `${value.slice(0, 5)}${digits.slice(-4)}${value.slice(-3)}`]
      return [name, value]
    }),
  )
}

interface ExampleOptions {
  readonly next: () => number
  /** The name of a body's example; absent: the first. */
  readonly example?: string | undefined
  /** Values of parameters by their name: required ones come from the contract's examples otherwise. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** The contract's own example of a request: it names nothing that has been created. */
export function exampleDraft(contract: Contract, operation: Operation, options: ExampleOptions): Draft {
  const { example: named, parameters = {}, next } = options
  const texts = operation.parameters.flatMap((parameter) => {
    const shown: unknown =
      shownBy(contract.document, parameter)[0]?.value ?? contract.flat(parameter.schema).examples?.[0]
    const value = parameters[parameter.name] ?? (parameter.required === true ? shown : undefined)
    return value === undefined ? [] : [[at(parameter), plainText(value)]]
  })
  const media = operation.request?.content.find(({ type }) => isJsonType(type))
  const example = media?.examples.find(({ name }) => named === undefined || name === named)
  return {
    parameters: Object.fromEntries(texts) as Draft['parameters'],
    schemes: operation.security[0] ?? [],
    ...(media && example && { mediaType: media.type, body: renewed(example.value, next) }),
  }
}

/** Writes a draft with the keys of the account. */
export const ourRequest = (target: ContractTarget, operation: Operation, draft: Draft): WireRequest =>
  toRequest(target, operation, draft, textsOf(target.credentials))

/** A draft about the phone number with this ending, which decides the outcome (docs, page "Test numbers"). */
export function withEnding({ body, ...draft }: Draft, ending: string): Draft {
  const number = isObject(body) ? body['msisdn'] : undefined
  return typeof number === 'string'
    ? { ...draft, body: changed(body, ['msisdn'], `${number.slice(0, -3)}${ending}`) }
    : { ...draft, body }
}

/** So many requests of one operation may use up their resource before new ones are made. */
const MADE_AT_ONCE = 90
/** Collections from such a number wait for a one-time password. */
const ASKS_FOR_PASSWORD = '005'
const COMPLETES = '123'

/**
 * What the contract does not say of its examples: references are new, only a waiting collection takes an OTP, only a
 * completed one is refunded, and only a payout that waits is cancelled: on a clock of ours until the clock moves.
 */
export function ourKnowledge(target: Target, contract: Contract, next: () => number): TrafficKnowledge {
  const known = contractTarget(target, contract)
  const waiting: CreatedResource[] = []
  const completed: CreatedResource[] = []

  async function makeOne(operation: Operation, draft: Draft): Promise<CreatedResource | undefined> {
    const request = ourRequest(known, operation, draft)
    const reply = await passOn(new URL(target.url), request, { resends: true }).catch(() => undefined)
    return reply && reply.status < 300 ? { operation, request, reply } : undefined
  }

  async function make(operation: Operation, ending: string, pool: CreatedResource[]): Promise<void> {
    for (let made = 0; made < MADE_AT_ONCE; made++) {
      const one = await makeOne(operation, withEnding(exampleDraft(contract, operation, { next }), ending))
      if (one) pool.push(one)
    }
    await target.own?.advance(0)
  }

  /** Waits until the collections are completed; what is not by then shows in the replies to its refund. */
  async function makeCompleted(operation: Operation): Promise<void> {
    await make(operation, COMPLETES, completed)
    await passing(target.own, async () => {
      const last = completed.at(-1)
      const { merchant_reference } = fieldsOf(fieldsOf(last && jsonOf(last.reply.body)).data)
      const { data } = await sendRequest(target.url, verifyRequest(target, String(merchant_reference)))
      return data.transaction_status === 'COMPLETED'
    })
  }

  return {
    renewed: (body) => renewed(body, next),
    async madeFor(from, { id, body }) {
      const operation = contract.operations.find((each) => each.id === from)
      if (!body || !target.sandbox || !operation) return undefined
      if (id === 'cancelPayout') return makeOne(operation, exampleDraft(contract, operation, { next }))
      if (id === 'refundCollection') {
        if (completed.length === 0) await makeCompleted(operation)
        return completed.shift()
      }
      if (waiting.length === 0) await make(operation, ASKS_FOR_PASSWORD, waiting)
      return waiting.shift()
    },
  }
}
