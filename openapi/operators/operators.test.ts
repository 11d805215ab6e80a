import { describe, expect, test } from 'vitest'
import { readContract, type Contract } from '../reading/contract.ts'
import { datedFacts } from '../reading/dated-facts.ts'
import { isObject, type JsonObject } from '../reading/json.ts'
import { dereferenced } from '../reading/references.ts'
import { OPERATORS } from './operators.ts'

// The tables of the documents and all examples agree with each other. What the tables say, the rails' tests say again
// (server/rails), and the simulators' tests.

interface Row {
  readonly code: string
  readonly httpStatus?: number
  readonly final?: boolean
}
/** The tables of a document, which only operators' documents have. */
interface Tables {
  readonly 'x-error-codes': readonly Row[]
  readonly 'x-result-codes'?: readonly Row[]
  readonly 'x-payout-result-codes'?: readonly Row[]
  readonly 'x-reversal-result-codes'?: readonly Row[]
  readonly 'x-transaction-statuses'?: readonly { readonly status: string; readonly final: boolean }[]
}

const bundleOf = (operator: string): URL => new URL(`../../generated/operators/${operator}.json`, import.meta.url)
const contracts = new Map(OPERATORS.map((operator) => [operator, readContract(bundleOf(operator))]))
const contractOf = (operator: string): Contract => contracts.get(operator)!
const tablesOf = (operator: string): Tables => contractOf(operator).document as unknown as Tables

/** Every body in a document, with its schema. */
const examplesOf = (operator: string) =>
  contractOf(operator).operations.flatMap(({ id, request, responses }) => [
    ...(request?.content ?? []).flatMap(({ schema, examples }) =>
      examples.map(({ name, value }) => ({ name: `${id} ${name}`, status: 'request', schema, value })),
    ),
    ...responses.flatMap(({ status, content }) =>
      content.flatMap(({ schema, examples }) =>
        examples.map(({ name, value }) => ({ name: `${id} ${status} ${name}`, status, schema, value })),
      ),
    ),
  ])

/** Every object inside a value. */
const objectsIn = (value: unknown): Readonly<Record<string, unknown>>[] => [
  ...(isObject(value) ? [value] : []),
  ...(typeof value === 'object' && value !== null ? Object.values(value).flatMap(objectsIn) : []),
]
/** Every code that a body contains, in any notation. */
const codesIn = (value: unknown): string[] =>
  objectsIn(value)
    .flatMap(
      ({ code, reason, errorCode, ResultCode, response_code: ofPayment, result_code: old, status_code: front }) => [
        code,
        reason,
        errorCode,
        ResultCode,
        ofPayment,
        old,
        // In a callback of Airtel this is a state, not a code.
        String(front).startsWith('ROUTER') ? front : undefined,
      ],
    )
    .filter((code) => typeof code === 'string' || typeof code === 'number')
    .map(String)
    // Airtel repeats the HTTP status there.
    .filter((code) => !/^[245]\d\d$/.test(code))

describe.each(OPERATORS)('%s', (operator) => {
  const { document, faultIn: faultOf } = contractOf(operator)

  test('every example fits its schema', () => {
    const examples = examplesOf(operator)
    expect(examples.length).toBeGreaterThan(80)
    const faults = examples.flatMap(({ name, schema, value }) => {
      const fault = faultOf(schema, value)
      return fault === undefined ? [] : [`${name}: ${fault}`]
    })
    expect(faults).toEqual([])
  })

  test('every code of an error is in an example', () => {
    const codes = tablesOf(operator)['x-error-codes'].map(({ code }) => code)
    const shown = new Set(examplesOf(operator).flatMap(({ value }) => codesIn(value)))
    expect(codes.filter((code) => !shown.has(code))).toEqual([])
  })

  test('every code of an example is in a table', () => {
    const {
      'x-error-codes': errors,
      'x-result-codes': results = [],
      'x-payout-result-codes': ofPayouts = [],
      'x-reversal-result-codes': ofReversals = [],
    } = tablesOf(operator)
    const known = new Set([...errors, ...results, ...ofPayouts, ...ofReversals].map(({ code }) => code))
    // Results of a transaction status have codes of their own, and no table of them is known; those of a validation are ours.
    const unknown = examplesOf(operator).filter(({ name }) => !/^(transactionStatusResult|c2bValidation) /.test(name))
    expect(unknown.flatMap(({ value }) => codesIn(value)).filter((code) => !known.has(code))).toEqual([])
  })

  test('an error with a known status is shown under that status only', () => {
    const statuses = new Map(tablesOf(operator)['x-error-codes'].map(({ code, httpStatus }) => [code, httpStatus]))
    const wrong = examplesOf(operator).flatMap(({ name, status, value }) => {
      const code = isObject(value) ? (value.code ?? value.errorCode) : undefined
      const known = typeof code === 'string' ? statuses.get(code) : undefined
      return known === undefined || String(known) === status ? [] : [`${name}: ${String(code)} is a ${known}`]
    })
    expect(wrong).toEqual([])
  })

  test('every operation has a description and its source', () => {
    const found = objectsIn({ paths: document.paths }).filter(({ operationId }) => operationId !== undefined)
    expect(found.length).toBeGreaterThan(10)
    const silent = found.filter(({ operationId, summary, description, ...rest }) =>
      [operationId, summary, description, rest['x-evidence']].some((text) => typeof text !== 'string' || text === ''),
    )
    expect(silent.map(({ operationId }) => operationId)).toEqual([])
    expect(new Set(found.map(({ operationId }) => operationId)).size).toBe(found.length)
  })

  test('every response, parameter, example and row has its source, in one of four words', () => {
    const marks = ['documented', 'observed', 'seen', 'unverified']
    const { paths, components, ...tables } = dereferenced(document) as Readonly<Record<string, unknown>>
    const { responses, parameters, examples } = components as Readonly<Record<string, Readonly<Record<string, object>>>>
    const things = [responses, parameters, examples].flatMap((named = {}) => Object.entries(named))
    expect(things.filter(([, thing]) => !('x-evidence' in thing)).map(([name]) => name)).toEqual([])
    const rows = Object.keys(tables).filter((key) => key.startsWith('x-') && key !== 'x-sources')
    expect(rows.flatMap((key) => objectsIn(tables[key])).filter((row) => !('evidence' in row))).toEqual([])
    const all = objectsIn([paths, components, tables]).flatMap((node) => [node['x-evidence'], node.evidence])
    expect(all.filter((mark) => mark !== undefined && !marks.some((known) => known === mark))).toEqual([])
  })

  test('every fact is a sentence with its mark', () => {
    const facts = objectsIn(document).flatMap((node) => node['x-facts'] ?? [])
    expect(facts.length).toBeGreaterThan(20)
    for (const fact of facts)
      expect(fact).toMatchObject({ fact: expect.stringMatching(/^\S.*\.$/s), evidence: expect.any(String) })
  })

  test('every fact of the document has a source, a date and who last observed it', () => {
    const facts = datedFacts(document as unknown as JsonObject)
    expect(facts.length).toBeGreaterThan(20)
    for (const fact of facts)
      expect(fact).toEqual({
        fact: expect.stringMatching(/\S/),
        source: expect.stringMatching(/\S/),
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        lastObservedBy: expect.stringMatching(/\S/),
      })
  })
})

describe('MTN MoMo', () => {
  test('a financial transaction id comes with success only, a reason with failure only', () => {
    const results = examplesOf('mtn-momo').filter(({ value }) => isObject(value) && 'externalId' in value)
    const outcomes = results
      .map(({ value }) => value as Readonly<Record<string, unknown>>)
      .filter((value) => value.status)
    expect(outcomes.length).toBeGreaterThan(30)
    for (const { status, financialTransactionId, reason } of outcomes) {
      expect(financialTransactionId !== undefined).toBe(status === 'SUCCESSFUL')
      expect(reason !== undefined).toBe(status === 'FAILED')
    }
  })

  test('shows every status of the server, a reason and activity in all their forms', () => {
    const values = examplesOf('mtn-momo').map(({ value }) => value)
    const results = values.filter(isObject)
    for (const status of ['CREATED', 'PENDING', 'SUCCESSFUL', 'FAILED'])
      expect(results).toContainEqual(expect.objectContaining({ status }))
    expect(results).toContainEqual(expect.objectContaining({ reason: 'APPROVAL_REJECTED' }))
    expect(results).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ code: 'APPROVAL_REJECTED' }) }),
    )
    expect(values).toEqual(expect.arrayContaining([{ result: true }, { result: false }, true, 'true']))
    expect(values).toEqual(
      expect.arrayContaining([{ error: 'login_failed' }, { statusCode: 401, message: expect.any(String) }]),
    )
  })

  test('an accepted request has no body, and a missing length gets a page', () => {
    const submissions = contractOf('mtn-momo').operations.filter(({ responses }) =>
      responses.some(({ status }) => status === '202'),
    )
    expect(submissions.map(({ id }) => id)).toEqual(['requestToPay', 'transfer', 'deposit', 'refund'])
    for (const { responses } of submissions)
      expect(responses.find(({ status }) => status === '202')?.content).toEqual([])
    const withoutLength = contractOf('mtn-momo').operations.flatMap(({ responses }) =>
      responses.filter(({ status }) => status === '411').flatMap(({ content }) => content.map(({ type }) => type)),
    )
    expect(withoutLength).toEqual(Array(4).fill('text/html'))
  })
})

describe('Daraja', () => {
  test('every result code is in an example, and all but 4999 are final', () => {
    const table = tablesOf('daraja')['x-result-codes']!
    expect(table.filter(({ final }) => !final).map(({ code }) => code)).toEqual(['4999'])
    const shown = new Set(examplesOf('daraja').flatMap(({ value }) => codesIn(value)))
    expect(table.filter(({ code }) => !shown.has(code))).toEqual([])
  })

  test('metadata come with success only', () => {
    const outcomes = examplesOf('daraja').flatMap(({ value }) =>
      objectsIn(value).flatMap((node) => node.stkCallback ?? []),
    )
    expect(outcomes.length).toBeGreaterThan(10)
    for (const outcome of outcomes.filter(isObject))
      expect(outcome.CallbackMetadata !== undefined).toBe(outcome.ResultCode === 0)
  })

  test('the lifetime of a token is a text or a number', () =>
    expect(examplesOf('daraja').flatMap(({ value }) => (isObject(value) ? (value.expires_in ?? []) : []))).toEqual([
      '3599',
      3599,
    ]))

  test('a push in flight is 4999, or a 500 with 500.001.1001', () => {
    const answers = examplesOf('daraja').filter(({ name }) => name.startsWith('queryStkPush '))
    expect(answers).toContainEqual(
      expect.objectContaining({ status: '200', value: expect.objectContaining({ ResultCode: '4999' }) }),
    )
    expect(answers).toContainEqual(
      expect.objectContaining({ status: '500', value: expect.objectContaining({ errorCode: '500.001.1001' }) }),
    )
  })
})
