import { expect, test } from 'vitest'
import { editorWith } from '../../client/testing/editor.ts'
import { bundleUrl, readContract } from '../reading/contract.ts'
import type { OpenApiDocument, OperationPiece } from '../reading/document.ts'
import { writtenOperations } from '../testing/written-operations.ts'
import { callsModule } from './calls.ts'
import { clientTexts } from './client.ts'
import { typesOf } from './types.ts'

const { document, operations } = readContract(bundleUrl)

/** The contract with one more operation: payouts to an account, by its number. */
function withListOfPayouts(changes: Partial<OperationPiece> = {}): OpenApiDocument {
  const verify = document.paths!['/data/transaction/verify/{merchant_reference}']!.get!
  const operation: OperationPiece = {
    ...verify,
    operationId: 'listPayouts',
    summary: 'List payouts to an account',
    description: 'Says what became of them; see [verify](#operation/verifyTransaction).',
    security: [{ publicKey: [], secretKey: [] }],
    parameters: [
      {
        name: 'account_number',
        in: 'path',
        required: true,
        description: 'Whose.',
        schema: { type: 'string' },
        example: '1',
      },
      { name: 'since', in: 'query', description: 'Not before.', schema: { type: 'string' }, example: '2026-11-20' },
    ],
    responses: { ...verify.responses, '409': { $ref: '#/components/responses/AlreadyUsed' } },
    'x-client': { call: 'payouts.listTo', errors: { '409': 'duplicate' } },
    ...changes,
  }
  return { ...document, paths: { ...document.paths, '/accounts/{account_number}/payouts': { get: operation } } }
}

test('generates name, parameters, docs, errors and body of a new operation', () => {
  const text = callsModule(withListOfPayouts())
  expect(text).toContain(
    'listTo(accountNumber: string, query?: PayoutsListToQuery, options?: CallOptions): Promise<Transaction>',
  )
  expect(text).toContain('   * List payouts to an account.\n   *\n   * Says what became of them')
  expect(text).toContain('   * @param accountNumber Whose.')
  expect(text).toContain('@throws MalipoError `duplicate`, HTTP 409: The merchant reference')
  expect(text).toContain(
    "http.GET('/accounts/{account_number}/payouts', { params: { query, path: { account_number: accountNumber } }, ...sending(options) })",
  )
  expect(text).toMatch(
    /'GET \/accounts\/\{account_number\}\/payouts': \{ needsSecretKey: true, kinds: \{.* 409: 'duplicate'/,
  )
})

test('documents every call: summary, description, each declared error, and a sample', () => {
  const text = callsModule(document)
  const called = operations.filter(({ kind }) => kind === 'operation')
  expect(called).toHaveLength(writtenOperations.length)
  for (const { summary, description, responses, samples } of called) {
    const [comment = ''] = text.split('/**').filter((each) => each.startsWith(`\n   * ${summary}.\n`))
    const isSaid = (line: string) => expect(comment, summary).toContain(`   * ${line}`.trimEnd())
    for (const line of description.trim().split('\n')) isSaid(line)
    for (const { status, description: reason } of responses.filter((each) => !each.status.startsWith('2')))
      expect(comment, summary).toMatch(
        new RegExp(`@throws MalipoError \`\\w+\`, HTTP ${status}: ${reason.slice(0, 20)}`),
      )
    isSaid('@example')
    for (const line of samples
      .find(({ lang }) => lang === 'TypeScript')!
      .source.trim()
      .split('\n'))
      isSaid(line)
  }
})

test('generates code that compiles for a new operation', async () => {
  const more = withListOfPayouts()
  const generated = Object.entries(await clientTexts(more)).map(([file, text]): [string, string] => [
    `generated/${file}`,
    text,
  ])
  const program = `import { createMalipo, type PayoutsListToQuery } from './index.ts'
    const query: PayoutsListToQuery = { since: '2026-11-20' }
    const { status_message } = await createMalipo({ baseUrl: '', publicKey: '' }).payouts.listTo('1', query)
    export const status: string = status_message
    // @ts-expect-error it is a text
    export const wrong: number = status_message`
  expect(editorWith(program, new Map(generated)).faults()).toEqual([])
})

test('refuses an operation without a place in the client, and a status without a kind', () => {
  expect(() => callsModule(withListOfPayouts({ 'x-client': { call: 'payouts' } }))).toThrow(
    'listPayouts names its call in x-client: group.verb',
  )
  expect(() =>
    callsModule(
      withListOfPayouts({
        responses: {
          '200': { $ref: '#/components/responses/TransactionRetrieved' },
          '422': { $ref: '#/components/responses/BadOtp' },
        },
      }),
    ),
  ).toThrow('HTTP 422 has no error kind')
})

test("types the address of a payment page, and the request's return address", async () => {
  const types = await typesOf(document)
  const fieldOf = (type: string, field: string) =>
    new RegExp(`^export type ${type} = \\{$[^]*?^    (${field}\\??): `, 'm').exec(types)?.[1]
  expect(fieldOf('HostedCollectionRequest', 'redirect_url')).toBe('redirect_url')
  expect(fieldOf('PhoneCollectionRequest', 'redirect_url')).toBe('redirect_url?')
  expect(fieldOf('HostedCollectionAcknowledgement', 'payment_url')).toBe('payment_url')
  expect(fieldOf('CollectionAcknowledgement', 'payment_url')).toBe('payment_url?')
})
