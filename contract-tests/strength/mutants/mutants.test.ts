import { beforeAll, describe, expect, test } from 'vitest'
import { isNightly } from '../../../server/verification/testing/nightly.ts'
import { createTestDatabase } from '../../../server/verification/testing/database.ts'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import type { Corpus, RecordedExchange } from './corpus.ts'
import { faultsOf, judgeAll, type MutantVerdict } from './judge.ts'
import { mutantsOf } from './operators.ts'
import { record } from './scenario.ts'
import { scoreOf, tableOf, unnoticed } from './table.ts'
import { lengthsOf } from './text-length.ts'
import { forFile } from '../../../server/verification/testing/for-file.ts'

const contract = readContract(bundleUrl).document
/** Every fifth mutant, nightly every third; `npm run mutants` judges all. */
const EVERY_NTH = isNightly ? 3 : 5

const { connection } = await forFile(createTestDatabase())
const corpus = await record(contract, { connection, seed: 1 })

const lines = (changed: Corpus): string[] => [...faultsOf(contract, changed)].map(({ fault }) => fault)

test('all recorded traffic fits the contract, and covers everything in it', () => {
  expect(lines(corpus)).toEqual([])
})

test('the recording covers every operation, accepted and refused', () => {
  const statuses = (operationId: string): number[] =>
    [
      ...new Set(
        corpus.exchanges.filter((exchange) => exchange.operationId === operationId).map(({ status }) => status),
      ),
    ].toSorted((a, b) => a - b)
  expect(statuses('initializeCollection')).toEqual([202, 400, 401, 409, 413, 415, 429, 500, 503])
  expect(statuses('authorizeCollection')).toEqual([202, 400, 401, 404, 409, 413, 415, 429, 500, 503])
  expect(statuses('sendFunds')).toEqual([202, 400, 401, 409, 413, 415, 429, 500, 503])
  expect(statuses('verifyTransaction')).toEqual([200, 400, 401, 404, 429, 500, 503])
  for (const callback of ['collectionCallback', 'payoutCallback'])
    expect(statuses(callback)).toEqual([200, 302, 404, 410, 500])
})

describe('mutants', () => {
  let judged: readonly MutantVerdict[]
  beforeAll(() => {
    judged = judgeAll(contract, corpus, EVERY_NTH)
  })

  test('there are at least 200, of every kind, in every part of the contract', () => {
    expect(judged.length).toBeGreaterThanOrEqual(200)
    expect(new Set(mutantsOf(contract).map(({ operator }) => operator)).size).toBeGreaterThanOrEqual(40)
    for (const part of [
      'paths/',
      'webhooks/',
      'components/schemas/',
      'components/parameters/',
      'components/responses/',
      'components/examples/',
      'paths/~1collections~1initialize/post/callbacks/',
      'paths/~1payout~1send-funds/post/requestBody/',
      'components/links/',
    ]) {
      expect(
        mutantsOf(contract).some(({ at }) => at.startsWith(part)),
        part,
      ).toBe(true)
    }
  })
  test('are the same at every run, and each differs from the contract', () => {
    const texts = () => mutantsOf(contract).map(({ operator, at, what }) => `${operator} ${at} ${what}`)
    expect(texts()).toEqual(texts())
    const original = JSON.stringify(contract)
    for (const mutant of mutantsOf(contract).filter((_, index) => index % 10 === 0))
      expect(JSON.stringify(mutant.make()), `${mutant.operator} ${mutant.at}`).not.toBe(original)
    expect(JSON.stringify(contract)).toBe(original)
  })
  test('95 % and more are noticed', () => {
    expect(scoreOf(judged).percent).toBeGreaterThanOrEqual(95)
  })
  test('the table has a line for each kind and names unnoticed mutants', () => {
    const table = tableOf(judged)
    for (const { operator } of judged) expect(table).toContain(operator)
    for (const { at } of unnoticed(judged)) expect(table).toContain(at)
  })
  test('every unnoticed mutant is explained', () => {
    expect(unnoticed(judged).filter(({ why }) => why === undefined)).toEqual([])
  })
})

describe('notices a gateway that breaks the contract', () => {
  /** The same recording with one exchange changed. */
  function otherwise(changes: Partial<RecordedExchange>, pick: (exchange: RecordedExchange) => boolean): string[] {
    const index = corpus.exchanges.findIndex(pick)
    expect(index).toBeGreaterThan(-1)
    return lines({ ...corpus, exchanges: corpus.exchanges.with(index, { ...corpus.exchanges[index]!, ...changes }) })
  }
  const is =
    (operationId: string, status: number) =>
    (exchange: RecordedExchange): boolean =>
      exchange.operationId === operationId && exchange.status === status
  const body = (value: unknown): RecordedExchange['replyBody'] => ({
    mediaType: 'application/json',
    isEmpty: false,
    value,
  })

  test('by a reply without a property', () => {
    expect(
      otherwise({ replyBody: body({ code: 202, status: 'accepted', data: {} }) }, is('sendFunds', 202)),
    ).toContainEqual(expect.stringMatching(/^sendFunds: the body of 202 does not fit/))
  })
  test('by an undeclared status', () => {
    expect(otherwise({ status: 418 }, is('listPayoutBanks', 200))).toContainEqual(
      expect.stringMatching(/^listPayoutBanks: the status 418 is not declared/),
    )
  })
  test('by a reply without its header', () => {
    expect(otherwise({ replyHeaders: new Map() }, is('verifyTransaction', 404))).toContainEqual(
      expect.stringMatching(/^verifyTransaction: 404 comes without x-request-id/),
    )
  })
  test('by accepting a wrong secret key', () => {
    expect(otherwise({ status: 200 }, (exchange) => is('listWalletBalances', 401)(exchange))).toContainEqual(
      expect.stringMatching(
        /^listWalletBalances: answered 200, although the keys that are declared are missing or wrong/,
      ),
    )
  })
  test('by accepting an invalid request', () => {
    const malformed = (exchange: RecordedExchange): boolean =>
      is('initializeCollection', 400)(exchange) &&
      JSON.stringify(exchange.replyBody.value).includes('currency must be a 3-letter')
    const accepted = corpus.exchanges.find(is('initializeCollection', 202))!
    expect(otherwise({ status: 202, replyBody: accepted.replyBody }, malformed)).toContainEqual(
      expect.stringMatching(/^initializeCollection: answered 202, although the body does not fit: \/currency/),
    )
  })
  test('by refusing a valid request', () => {
    expect(
      otherwise(
        {
          status: 400,
          replyBody: body({ code: 400, status: 'error', message: 'currency is not to my liking', data: {} }),
        },
        is('initializeCollection', 202),
      ),
    ).toContainEqual(expect.stringMatching(/"currency is not to my liking", although the request fits/))
  })
  test('by a callback with an undeclared header', () => {
    const { requestHeaders } = corpus.exchanges.find(is('payoutCallback', 200))!
    expect(
      otherwise({ requestHeaders: new Map([...requestHeaders, ['x-debug', '1']]) }, is('payoutCallback', 200)),
    ).toContainEqual(expect.stringMatching(/^payoutCallback: sent, although the header x-debug is not declared/))
  })
  test('by never doing what is declared', () => {
    expect(
      lines({ ...corpus, exchanges: corpus.exchanges.filter(({ operationId }) => operationId !== 'customerRedirect') }),
    ).toContain('never seen: customerRedirect')
  })
})

test.each([
  ['^[A-Z]{3}$', { min: 3, max: 3 }],
  ['^(?:auto|[A-Za-z0-9._~-]{8,36})$', { min: 4, max: 36 }],
  ['^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=)?$', { min: 47, max: 95 }],
  ['^[\\x20-\\x7e]{1,64}$', { min: 1, max: 64 }],
  ['^[^\\x00-\\x1f]+$', { min: 1, max: Infinity }],
  ['^https?://(?:a|\\x5b::1\\x5d)(?:[0-9]{2})*$', { min: 8, max: Infinity }],
])('knows the lengths that %s allows', (pattern, span) => expect(lengthsOf(pattern)).toEqual(span))
