import { createServer } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { createMalipo, MalipoError, type Malipo } from '../../client/index.ts'
import { bundleUrl, readContract, type Operation } from '../../openapi/reading/contract.ts'
import { objectOf, textOf, type Json } from '../../openapi/reading/json.ts'
import type { Example, Response } from '../../openapi/reading/operations.ts'
import { jsonOf } from '../../openapi/reading/wire.ts'
import { forFile } from '../../server/verification/testing/for-file.ts'
import { smallerByDefault } from '../../server/verification/testing/nightly.ts'
import { contractTarget, exampleDraft, ourRequest } from '../driver/our-account.ts'
import { startPrism } from '../driver/prism.ts'
import { isBusinessRefusal } from '../harness/business-refusals.ts'
import { isFields } from '../harness/json.ts'
import { listen } from '../harness/listen.ts'
import { passOn, type WireHeaders, type WireReply, type WireRequest } from '../harness/proxy.ts'

type AnyCall = (...given: readonly unknown[]) => Promise<unknown>

const REQUEST_MS_MAX = 60_000
const account = { publicKey: 'pub_sandbox_demo', secretKey: 'sec_sandbox_demo' }
const contract = readContract(bundleUrl)
const operations = contract.operations.filter(({ kind }) => kind === 'operation')

const prism = await forFile(startPrism(bundleUrl))
// Prism calls a `redirect_url` itself. The contract's examples name a shop on the Internet; requests from here replace
// it by this local one.
const shop = await forFile(listen(createServer((_request, response) => void response.end())))

/** One reply that the contract shows. */
interface ShownReply extends Example, Pick<Response, 'headers'> {
  readonly operation: Operation
  readonly status: number
}
const answersOf = (operation: Operation): readonly ShownReply[] =>
  operation.responses.flatMap(({ status, headers, examples }) =>
    examples.map((example) => ({ ...example, operation, status: Number(status), headers })),
  )
const answers = operations.flatMap(answersOf)
const prefer = ({ status, name }: ShownReply) => ({ prefer: `code=${status}, example=${name}` })
const title = ({ operation, status, name }: ShownReply) => `${operation.id} ${status} ${name}`

let counter = 0
const target = contractTarget({ ...account, url: prism.baseUrl, contract: '', sandbox: true }, contract)
/** Optional parameters as well, but for the key that makes a request a replay. @param example absent: the first */
function requestOf(operation: Operation, example?: string): WireRequest {
  const shown = operation.parameters.filter(({ name }) => name !== 'Idempotency-Key')
  const parameters = Object.fromEntries(shown.map((parameter) => [parameter.name, parameter.example]))
  const draft = exampleDraft(contract, operation, { next: () => counter++, example, parameters })
  const { body } = draft
  const atHome = isFields(body) && 'redirect_url' in body ? { ...body, redirect_url: `${shop.url}/paid` } : body
  return ourRequest(target, operation, { ...draft, body: atHome })
}
const send = (request: WireRequest, more: Readonly<Record<string, string>> = {}, url = prism.baseUrl) => {
  const headers = Object.entries(more).map(([name, value]) => [name, [value]])
  const preferring = { ...request, headers: { ...request.headers, ...Object.fromEntries(headers) } as WireHeaders }
  return passOn(new URL(url), preferring, { timeoutMs: REQUEST_MS_MAX })
}
const bodyOf = ({ body }: Pick<WireReply, 'body'>): unknown => jsonOf(body)

/** Faults of a reply to `answer`, as sentences; an empty list when there are none. */
function faultsOf(answer: ShownReply, reply: WireReply): string[] {
  const { status, headers } = reply
  const missing = answer.headers.filter(({ name, required }) => required && !headers[name.toLowerCase()])
  const found = [
    status !== answer.status && `status ${status}`,
    !headers['content-type']?.[0]?.startsWith('application/json') && `content type ${headers['content-type']?.join()}`,
    headers['sl-violations'] && `violations ${headers['sl-violations'].join()}`,
    ...missing.map(({ name }) => `no header ${name}`),
    !isDeepStrictEqual(bodyOf(reply), answer.value) && `not the example: ${reply.body.toString()}`,
  ]
  return found.filter((fault) => typeof fault === 'string').map((fault) => `${title(answer)}: ${fault}`)
}

test('every example reply can be requested by name, with its headers', async () => {
  const faults: string[] = []
  for (const answer of answers)
    faults.push(...faultsOf(answer, await send(requestOf(answer.operation), prefer(answer))))
  expect(faults).toEqual([])
})

/** What a generator writes where there is no example. */
const COUNTRY = /^[A-Z]{2}$/
const FILLER = /^(string|text|null|undefined|lorem.*|[a-z]{0,2})$/i
const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value) as object).flatMap(textsIn)

test('no example of a success contains a filler', () => {
  const successes = answers.filter(({ status }) => status < 300)
  const texts = successes.flatMap(({ value }) => textsIn((value as { readonly data: unknown }).data))
  expect(texts.filter((text) => FILLER.test(text) && !COUNTRY.test(text))).toEqual([])
})

test('every example request is accepted and gets the first reply', async () => {
  const faults: string[] = []
  for (const operation of operations)
    for (const example of operation.body?.examples.map(({ name }) => name) ?? [undefined])
      faults.push(...faultsOf(answersOf(operation)[0]!, await send(requestOf(operation, example))))
  expect(faults).toEqual([])
})

test("an invalid request gets a schema fault's example, or the one it prefers", async () => {
  for (const operation of operations.filter(({ body }) => body)) {
    const request = { ...requestOf(operation), body: Buffer.from('{}') }
    const reply = await send(request)
    const message = textOf(objectOf(bodyOf(reply) as Json).message)
    expect(reply.status).toBe(400)
    expect(message).toMatch(/ is required$/)
    expect(isBusinessRefusal(message), message).toBe(false)
    const field = await send(request, { prefer: 'code=400, example=field_unknown' })
    expect(bodyOf(field)).toMatchObject({ code: 400, message: 'merchant_id is not allowed' })
  }
})

/**
 * Calls the client by the operation's `x-client` name, with the values of the contract's request example, and with an
 * idempotency key where the operation takes one.
 */
async function call(malipo: Malipo, operation: Operation): Promise<unknown> {
  const { parameters, body } = operation
  const given = (where: string) =>
    parameters.filter((parameter) => parameter.in === where).map(({ name, example }) => [name, example] as const)
  const [group = '', verb = ''] = operation.client!.call.split('.')
  const calls = malipo as unknown as Readonly<Record<string, Readonly<Record<string, AnyCall>>>>
  return calls[group]![verb]!(
    ...given('path').map(([, example]) => example),
    ...(body ? [bodyOf(requestOf(operation))] : []),
    ...(given('query').length > 0 ? [Object.fromEntries(given('query'))] : []),
    given('header').some(([header]) => header === 'Idempotency-Key') ? { idempotencyKey: 'key-1' } : {},
  )
}

// Without retries: the mock would return the same error again.
const mocked = (headers: Readonly<Record<string, string>> = {}): Malipo =>
  createMalipo({
    ...account,
    baseUrl: prism.baseUrl,
    timeoutMs: REQUEST_MS_MAX,
    maxRetries: 0,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }),
  })

test('our client gets the data of every operation from the mock', async () => {
  for (const operation of operations) {
    const { data } = answersOf(operation)[0]!.value as { readonly data: Record<string, unknown> }
    const { result } = operation.client!
    expect(await call(mocked(), operation), operation.id).toEqual(result === undefined ? data : data[result])
  }
})

test('our client maps every example error to a MalipoError with kind, text and id', async () => {
  for (const answer of answers.filter(({ status }) => status >= 400)) {
    const { message } = answer.value as { readonly message: string }
    const error: unknown = await call(mocked(prefer(answer)), answer.operation).catch((reason: unknown) => reason)
    expect(error, title(answer)).toBeInstanceOf(MalipoError)
    expect(error, title(answer)).toMatchObject({
      message,
      status: answer.status,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect((error as MalipoError).kind, title(answer)).not.toMatch(/unexpected_reply|network|timeout/)
    expect((error as MalipoError).retryAfterMs !== undefined, title(answer)).toBe([429, 503].includes(answer.status))
  }
})

test('the mock never crashed and called nobody but our shop', () => {
  expect(prism.output()).not.toMatch(/UnhandledPromise|TypeError|shop\.example/)
})

/** Every number below a field whose name says that it is money. */
function amountsIn(value: unknown, name = ''): number[] {
  if (typeof value === 'number') return /amount|balance|total|charge/.test(name) ? [value] : []
  if (Array.isArray(value)) return value.flatMap((each) => amountsIn(each))
  return isFields(value) ? Object.entries(value).flatMap(([key, each]) => amountsIn(each, key)) : []
}

const count = smallerByDefault('dynamic replies', 14, 1_000)
// Prism takes a third of a second for each.
test('replies generated from schemas and x-faker have realistic amounts', { timeout: 1_200_000 }, async () => {
  const dynamic = await startPrism(bundleUrl, ['--dynamic'])
  const [faults, amounts]: [string[], number[]] = [[], []]
  try {
    for (let index = 0; index < count; index += 1) {
      const operation = operations[index % operations.length]!
      const reply = await send(requestOf(operation), {}, dynamic.baseUrl)
      const body = bodyOf(reply)
      const declared = operation.responses.find(({ status }) => status === String(reply.status))
      const fault = declared?.schema ? contract.faultIn(declared.schema, body) : `${reply.status} is not declared`
      if (fault !== undefined) faults.push(`${operation.id}: ${fault}: ${JSON.stringify(body)}`)
      amounts.push(...amountsIn(body))
    }
  } finally {
    await dynamic.stop()
  }
  expect(faults).toEqual([])
  expect(amounts.length).toBeGreaterThan(count)
  expect(amounts.filter((amount) => !Number.isInteger(amount) || amount > 50_000_000)).toEqual([])
  expect(new Set(amounts).size).toBeGreaterThan(count / 2)
})
