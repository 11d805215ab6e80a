import { isDeepStrictEqual } from 'node:util'
import { passing } from './clock.ts'
import * as bodies from './bodies.ts'
import type { Fields } from '../harness/json.ts'
import type { Target } from '../harness/part.ts'
import type { WireRequest } from '../harness/proxy.ts'
import type { Findings } from './findings.ts'
import { isFinal } from './message-fields.ts'
import {
  getRequest,
  postRequest,
  verifyRequest,
  walletsRequest,
  type ApiReply,
  type Keys,
  type PostOperation,
} from './requests.ts'
import type { RequestStory } from './story.ts'

type Headers = Readonly<Record<string, string>>

/** Sends a few related requests and checks their replies. */
export interface PaymentDriver {
  send(request: WireRequest): Promise<ApiReply>
  /** With the headers that every GET requires. */
  get(path: string, more?: Headers): Promise<ApiReply>
  wallets(more?: Headers): Promise<ApiReply>
  post(operation: PostOperation, body: unknown, more?: Headers): Promise<ApiReply>
  /** By MTN Uganda, under a new reference unless the changes have one. */
  collect(changes: Fields, more?: Headers): Promise<ApiReply>
  pay(changes: Fields, more?: Headers): Promise<ApiReply>
  authorize(made: ApiReply, otp: number, more?: Headers): Promise<ApiReply>
  find(reference: string): Promise<ApiReply>
  /** Looks up a refund, and a batch. */
  refund(reference: unknown): Promise<ApiReply>
  batch(reference: unknown): Promise<ApiReply>
  /** The record; empty when there is none. */
  verify(reference: unknown): Promise<Fields>
  /** The record once it is final, or its state after a while. */
  settled(reference: unknown): Promise<Fields>
  /** Moves the clock of our own gateway. */
  advance(ms: number): Promise<void>
  readonly story: RequestStory
  /** The same with the keys of another merchant. */
  as(account: Keys): PaymentDriver
  reference(): string
  /** A number of MTN Uganda that nothing else in this run uses. */
  phone(ending?: string): string
  /**
   * Checks a reply against the expected one, or its status. @param rule equal for the same defect @param source where
   * the contract says so; absent: as the driver was told
   */
  expect(
    about: string,
    said: ApiReply,
    expected: ExpectedReply | number,
    rule: string,
    source?: string,
    sameAs?: string,
  ): boolean
  /**
   * Checks any condition. @param what what came, and what was expected @param sameAs a rule whose breach also shows
   * here
   */
  hold(about: string, isRight: boolean, rule: string, what: string, sameAs?: string): boolean
}

export interface ExpectedReply {
  readonly status: number
  /** The whole message, or a pattern. */
  readonly message?: string | RegExp
}

interface DriverOptions {
  readonly target: Target
  /** Whose keys are sent. */
  readonly account: Keys
  readonly findings: Findings
  /** Rules known to be broken: a consequence of such a breach is reported with it. */
  readonly broken: Set<string>
  readonly fresh: {
    readonly prefix: string
    readonly stamp: string
    readonly number: () => number
    /** A number for accounts with this ending that nothing else in this run uses. */
    readonly account: (ending: string) => number
  }
  readonly send: (request: WireRequest) => Promise<ApiReply>
  readonly name: string
  /** Where the contract says what this driver expects. */
  readonly source: string
  readonly story: RequestStory
}

/** Prefixes of MTN Uganda: 7 is followed by one of these. */
const THIRD_DIGITS = ['7', '8', '6']
/** More than any test number takes: on our own gateway nothing happens unless its clock moves. */
const SETTLES_MS = [0, 1_000, 1_000, 1_000, 1_000, 1_000]

export function createDriver(options: DriverOptions): PaymentDriver {
  const { target, account, findings, broken, fresh, send, name, source: usual, story } = options
  const { own } = target
  const reference = (): string => `${fresh.prefix}-${fresh.stamp}-${fresh.number()}`
  const sendRequest = async (request: WireRequest): Promise<ApiReply> => {
    const made = story.requested(request)
    const came = await send(request)
    made(came.data['internal_reference'])
    return came
  }
  const hold: PaymentDriver['hold'] = (about, isRight, rule, what, sameAs) => {
    const known = sameAs !== undefined && broken.has(`${about} ${sameAs}`) ? sameAs : rule
    if (!isRight) broken.add(`${about} ${known}`)
    findings.hold(about, 1, isRight ? [] : [{ rule: known, what }], name, isRight ? undefined : { curl: story.line() })
    return isRight
  }
  const requests = requestsOf(account, sendRequest, reference)
  const verify = async (known: unknown): Promise<Fields> => (await requests.find(String(known))).data
  return {
    ...requests,
    hold,
    verify,
    as: (other) => createDriver({ ...options, account: other }),
    story,
    reference,
    async settled(known) {
      let record: Fields = {}
      const isSettled = async (): Promise<boolean> => {
        record = await verify(known)
        return isFinal(record)
      }
      await passing(own, isSettled, SETTLES_MS)
      return record
    },
    advance: async (ms) => {
      if (ms > 0) story.waited(ms)
      await own?.advance(ms)
    },
    phone(ending = '001') {
      const number = fresh.account(ending)
      const third = THIRD_DIGITS[Math.floor(number / 10_000) % THIRD_DIGITS.length] ?? ''
      return `2567${third}${String(number % 10_000).padStart(4, '0')}${ending}`
    },
    expect(about, said, expected, rule, source = usual, sameAs) {
      const { status, message } = typeof expected === 'number' ? { status: expected } : expected
      const isRight = said.status === status && fits(said.message, message)
      const wanted = `${status}${message === undefined ? '' : ` "${wordsOf(message)}"`}`
      const came = said.status === 0 ? 'no reply' : `${said.status} "${said.message}"`
      return hold(about, isRight, rule, `${rule}: the server answered ${came}, not ${wanted} (${source})`, sameAs)
    },
  }
}

/** The requests of an account. */
function requestsOf(
  account: Keys,
  send: PaymentDriver['send'],
  reference: () => string,
): Pick<
  PaymentDriver,
  'send' | 'get' | 'wallets' | 'find' | 'refund' | 'batch' | 'post' | 'collect' | 'pay' | 'authorize'
> {
  const secret = { 'secret-key': account.secretKey }
  const post: PaymentDriver['post'] = (operation, body, more) => send(postRequest(account, operation, body, more))
  return {
    send,
    get: (path, more) => send(getRequest(account, path, more)),
    wallets: (more) => send(walletsRequest(account, more)),
    find: (known) => send(verifyRequest(account, known)),
    refund: (known) => send(getRequest(account, `/collections/refund/${String(known)}`, secret)),
    batch: (known) => send(getRequest(account, `/payout/batches/${String(known)}`, secret)),
    post,
    collect: (changes, more) =>
      post('initializeCollection', bodies.mobileCollection({ merchant_reference: 'auto', ...changes }), more),
    pay: (changes, more) =>
      post('sendFunds', bodies.mobilePayout({ merchant_reference: reference(), ...changes }), more),
    authorize: ({ data: { internal_reference } }, otp, more) =>
      post('authorizeCollection', { internal_reference, otp }, more),
  }
}

const fits = (message: string, expected: string | RegExp | undefined): boolean =>
  expected === undefined || (typeof expected === 'string' ? message === expected : expected.test(message))
const wordsOf = (expected: string | RegExp): string => (typeof expected === 'string' ? expected : expected.source)

/** Checks fields of a record. */
export function expectRecord(
  driver: PaymentDriver,
  about: string,
  record: Fields,
  expected: Fields,
  rule: string,
  source: string,
): boolean {
  const came = Object.fromEntries(Object.keys(expected).map((field) => [field, record[field]]))
  return driver.hold(
    about,
    isDeepStrictEqual(came, expected),
    rule,
    `${rule}: verify says ${JSON.stringify(came)}, not ${JSON.stringify(expected)} (${source})`,
  )
}
