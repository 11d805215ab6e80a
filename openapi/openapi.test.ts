import { createHash, createHmac, createPublicKey, createVerify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import type { components } from '../generated/schema.d.ts'

/** The bundle, as far as these tests read it. */
interface Contract {
  readonly openapi: string
  readonly paths: Paths
  readonly webhooks: Paths
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
interface Reference {
  readonly $ref: string
}
type Paths = Readonly<Record<string, Readonly<Record<string, WrittenOperation>> | Reference>>
interface WrittenOperation {
  readonly operationId: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: Message | Reference
  readonly responses: Readonly<Record<string, Message | Reference>>
  readonly callbacks?: Readonly<Record<string, Paths | Reference>>
}
/** A value with its schema and what shows it: a header, or a body. */
interface Shown {
  readonly schema: Schema | Reference
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown } | Reference>>
}
interface Parameter extends Shown {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description: string
  readonly 'x-empty-is-absent'?: boolean
}
interface Message {
  readonly headers?: Readonly<Record<string, Shown | Reference>>
  readonly content?: Readonly<Record<string, Shown>>
}
interface Schema {
  readonly title?: string
  readonly description?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema | Reference>>
  readonly oneOf?: readonly (Schema | Reference)[]
  readonly allOf?: readonly (Schema | Reference)[]
  readonly discriminator?: { readonly mapping: Readonly<Record<string, string>> }
  readonly 'x-pattern-message'?: string
  readonly 'x-empty-is-absent'?: boolean
}
type Callback = components['schemas']['CollectionCallback'] | components['schemas']['PayoutCallback']

// The bundle is what everybody else reads: types, server, mock and fuzzer. So it is what is tested here.
const bundleText = readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8')
const contract = JSON.parse(bundleText) as Contract
const signaturesPage = readFileSync(new URL('pages/callbacks-and-signatures.md', import.meta.url), 'utf8')

const SIGNING_KEY = 'SANDBOXDEMOSIGNKEY01'
const WEBHOOK_SECRET = Buffer.from('c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==', 'base64')

const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')
const resolve = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, part) => (node as Readonly<Record<string, unknown>> | undefined)?.[part], contract)

const isReference = (node: unknown): node is Reference => typeof node === 'object' && node !== null && '$ref' in node

/** Follows `$ref`s: what they lead to is of the kind that may stand there. */
function at<Node>(node: Node | Reference): Node {
  return isReference(node) ? at(resolve(node.$ref) as Node | Reference) : node
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Message
  readonly responses: Readonly<Record<string, Message>>
}

/** Every operation of a map of paths, with those inside its `callbacks`. */
function operationsOf(paths: Paths): Operation[] {
  return Object.values(paths).flatMap((path) =>
    Object.values(at(path))
      .filter((operation) => operation.operationId)
      .flatMap(({ operationId, parameters = [], requestBody, responses, callbacks = {} }) => [
        {
          operationId,
          parameters: parameters.map((parameter) => at(parameter)),
          ...(requestBody && { requestBody: at(requestBody) }),
          responses: Object.fromEntries(
            Object.entries(responses).map(([status, response]) => [status, at(response)] as const),
          ),
        },
        ...Object.values(callbacks).flatMap((callback) => operationsOf(at(callback))),
      ]),
  )
}

const ours = operationsOf(contract.paths).filter(({ operationId }) => operationId !== 'customerRedirect')
const toMerchants = [
  ...operationsOf(contract.webhooks),
  ...operationsOf(contract.paths).filter(({ operationId }) => operationId === 'customerRedirect'),
]
const everyOperation = [...ours, ...toMerchants]
const operation = (id: string): Operation => everyOperation.find(({ operationId }) => operationId === id)!

// Ajv knows `discriminator`, but not its `mapping`; the values are in each member too.
const withoutMappings = JSON.parse(bundleText, (key, value: unknown) =>
  key === 'discriminator' ? { propertyName: (value as { propertyName: string }).propertyName } : value,
) as Contract
const ajv = addFormats.default(new Ajv2020({ strict: false, discriminator: true, allErrors: true }))
ajv.addSchema({ $id: 'contract', components: withoutMappings.components })

const compiled = new Map<string, ValidateFunction>()
function validatorOf(schema: unknown): ValidateFunction {
  const text = JSON.stringify(schema)
  const known = compiled.get(text)
  if (known) return known
  const validator = ajv.compile(JSON.parse(text.replaceAll('"#/components/', '"contract#/components/')) as Schema)
  compiled.set(text, validator)
  return validator
}

interface Example {
  readonly name: string
  readonly schema: unknown
  readonly value: unknown
}

const valuesOf = ({ example, examples = {} }: Shown): [string, unknown][] => [
  ...(example === undefined ? [] : [['example', example] as [string, unknown]]),
  ...Object.entries(examples).map(([name, named]): [string, unknown] => [name, at(named).value]),
]

function* examplesOf({ operationId, parameters, requestBody, responses }: Operation): Generator<Example> {
  const all = (where: string, shown: Shown) =>
    valuesOf(shown).map(([name, value]) => ({ name: `${operationId} ${where} ${name}`, schema: shown.schema, value }))
  for (const parameter of parameters) yield* all(`parameter ${parameter.name}`, parameter)
  for (const media of Object.values(requestBody?.content ?? {})) yield* all('request', media)
  for (const [status, { headers = {}, content = {} }] of Object.entries(responses)) {
    for (const [header, shown] of Object.entries(headers)) yield* all(`${status} header ${header}`, at(shown))
    for (const media of Object.values(content)) yield* all(status, media)
  }
}

const examples = everyOperation.flatMap((each) => [...examplesOf(each)])
const jsonOf = (message: Message | undefined): Shown | undefined => message?.content?.['application/json']
const namedIn = (message: Message | undefined) => jsonOf(message)?.examples ?? {}
const names = (message: Message | undefined): string[] => Object.keys(namedIn(message))
const bodyExample = (id: string, name: string): unknown => at(namedIn(operation(id).requestBody)[name]!).value
const callbackExample = (id: string, name: string): Callback => bodyExample(id, name) as Callback
const headerExample = (id: string, name: string): string =>
  operation(id).parameters.find((parameter) => parameter.name === name)!.example as string

test('the bundle is OpenAPI 3.1 and has the seven operations, three webhooks and the redirect', () => {
  expect(contract.openapi).toMatch(/^3\.1\./)
  expect(ours.map(({ operationId }) => operationId).toSorted()).toEqual([
    'authorizeCollection',
    'initializeCollection',
    'listPaymentProviders',
    'listPayoutBanks',
    'listWalletBalances',
    'sendFunds',
    'verifyTransaction',
  ])
  expect(toMerchants.map(({ operationId }) => operationId)).toEqual([
    'collectionCallback',
    'payoutCallback',
    'payoutHandshake',
    'customerRedirect',
  ])
})

test('no $ref is left dangling, and none leaves the bundle', () => {
  const refs = [...bundleText.matchAll(/"\$ref": ?"([^"]+)"/g)].map(([, ref]) => ref!)
  expect(refs.length).toBeGreaterThan(100)
  expect(refs.filter((ref) => !ref.startsWith('#/') || resolve(ref) === undefined)).toEqual([])
})

test('every example is valid against its schema', () => {
  expect(examples.length).toBeGreaterThan(200)
  const faults = examples.flatMap(({ name, schema, value }) => {
    const validate = validatorOf(schema)
    return validate(value) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`]
  })
  expect(faults).toEqual([])
})

test('every example in a schema is valid against that schema', () => {
  const faults: string[] = []
  const visit = (node: unknown, pointer: string): void => {
    if (typeof node !== 'object' || node === null) return
    if ('examples' in node && Array.isArray(node.examples)) {
      const validate = validatorOf({ $ref: pointer })
      for (const value of node.examples)
        if (!validate(value)) faults.push(`${pointer}: ${ajv.errorsText(validate.errors)}`)
    }
    for (const [key, child] of Object.entries(node))
      if (key !== 'examples') visit(child, `${pointer}/${escapePointer(key)}`)
  }
  visit(contract.components.schemas, '#/components/schemas')
  expect(faults).toEqual([])
})

test('every operation has a named example for its request and for each status', () => {
  const missing = ours.flatMap(({ operationId, requestBody, responses }) => [
    ...(requestBody && names(requestBody).length === 0 ? [`${operationId} request`] : []),
    ...Object.entries(responses)
      .filter(([, response]) => names(response).length === 0)
      .map(([status]) => `${operationId} ${status}`),
  ])
  expect(missing).toEqual([])
  expect(names(operation('initializeCollection').requestBody)).toEqual(
    expect.arrayContaining(['collection_mobile_money', 'collection_hosted', 'collection_bank']),
  )
})

test('the code in a reply is the HTTP status under which it is declared', () => {
  const wrong = ours.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      Object.entries(namedIn(response))
        .filter(([, example]) => (at(example).value as { code: number }).code !== Number(status))
        .map(([name]) => `${operationId} ${status} ${name}`),
    ),
  )
  expect(wrong).toEqual([])
})

test('an example of a union names its branch, and no other branch takes it', () => {
  const unions = ['CollectionRequest', 'PayoutRequest', 'Transaction', 'CollectionCallback', 'PayoutCallback']
  for (const name of unions) {
    const { oneOf, discriminator } = contract.components.schemas[name]!
    expect(Object.values(discriminator!.mapping).toSorted(), name).toEqual(
      oneOf!.map((member) => (isReference(member) ? member.$ref : '')).toSorted(),
    )
  }
  const request = bodyExample('initializeCollection', 'collection_mobile_money') as object
  expect(validatorOf({ $ref: '#/components/schemas/BankCollectionRequest' })(request)).toBe(false)
  expect(
    validatorOf({ $ref: '#/components/schemas/CollectionRequest' })({ ...request, transaction_method: 'CARD' }),
  ).toBe(false)
  expect(validatorOf({ $ref: '#/components/schemas/CollectionRequest' })({ ...request, merchant_id: '7' })).toBe(false)
})

test('an event never comes with the status of the other', () => {
  const completed = callbackExample('collectionCallback', 'callback_collection_completed')
  expect(
    validatorOf({ $ref: '#/components/schemas/CollectionCallback' })({ ...completed, event: 'transaction.failed' }),
  ).toBe(false)
  expect(validatorOf({ $ref: '#/components/schemas/PayoutCallback' })(completed)).toBe(false)
})

test('every pattern of a request has a sentence for people', () => {
  const silent = new Set<string>()
  const visit = (written: Schema | Reference, name: string): void => {
    const { pattern, 'x-pattern-message': sentence, properties = {}, oneOf = [], allOf = [] } = at(written)
    if (pattern && !sentence) silent.add(name)
    for (const [key, child] of Object.entries(properties)) visit(child, key)
    for (const member of [...oneOf, ...allOf]) visit(member, name)
  }
  for (const { parameters, requestBody } of ours) {
    for (const parameter of parameters) visit(parameter.schema, parameter.name)
    if (requestBody) visit(jsonOf(requestBody)!.schema, 'body')
  }
  expect([...silent]).toEqual([])
})

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
const signedText = ({ event, payload }: Callback): string =>
  [
    event,
    payload.merchant_reference,
    payload.internal_reference,
    payload.transaction_type,
    payload.transaction_status,
  ].join(':')
// Made once with a key that exists for the examples only; its public half is printed on the page about signatures.
const examplesKey = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/.exec(signaturesPage)?.[0] ?? ''
const rsaVerifies = (text: string, signature: string): boolean =>
  createVerify('sha256').update(text).verify(examplesKey, signature, 'base64')
/** As the page tells merchants to compute it. */
const examplesKeyId = (): string =>
  createHash('sha256')
    .update(createPublicKey(examplesKey).export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16)

test.each([
  ['collectionCallback', 'callback_collection_completed'],
  ['payoutCallback', 'callback_payout_completed'],
])('the signatures in the headers of %s are those of its first example', (id, name) => {
  expect(names(operation(id).requestBody)[0]).toBe(name)
  const body = callbackExample(id, name)
  const signed = `${headerExample(id, 'webhook-id')}.${headerExample(id, 'webhook-timestamp')}.${JSON.stringify(body)}`
  expect(headerExample(id, 'webhook-signature')).toBe(`v1,${hmac(WEBHOOK_SECRET, signed).digest('base64')}`)
  expect(headerExample(id, 'hmac-signature').split('s=')[1]).toBe(hmac(SIGNING_KEY, signedText(body)).digest('hex'))
  expect(rsaVerifies(signedText(body), headerExample(id, 'rsa-signature'))).toBe(true)
  expect(headerExample(id, 'rsa-key-id')).toBe(examplesKeyId())
})

test('the signature of the handshake signs an empty body', () => {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerExample('payoutHandshake', name),
  )
  expect(signature).toBe(`v1,${hmac(WEBHOOK_SECRET, `${id}.${timestamp}.`).digest('base64')}`)
})

test('the signatures of the redirect are those of its other parameters', () => {
  const value = (name: string): string => headerExample('customerRedirect', name)
  const text = ['event', 'merchant_reference', 'internal_reference', 'transaction_type', 'transaction_status']
    .map(value)
    .join(':')
  expect(operation('customerRedirect').parameters).toHaveLength(10)
  expect(value('hmac_signature').split('s=')[1]).toBe(hmac(SIGNING_KEY, text).digest('hex'))
  expect(rsaVerifies(text, value('rsa_signature'))).toBe(true)
  expect(value('rsa_key_id')).toBe(examplesKeyId())
})

test('the page about signatures shows the values of the contract', () => {
  for (const name of ['webhook-id', 'webhook-timestamp'])
    expect(signaturesPage).toContain(headerExample('collectionCallback', name))
  expect(signaturesPage).toContain(headerExample('collectionCallback', 'webhook-signature').slice('v1,'.length))
  expect(signaturesPage).toContain(headerExample('collectionCallback', 'hmac-signature').split('s=')[1])
  expect(signaturesPage).toContain(headerExample('collectionCallback', 'rsa-key-id'))
  expect(signaturesPage).toContain(JSON.stringify(bodyExample('collectionCallback', 'callback_collection_completed')))
})

test('every object that merchants send, and every optional query parameter, says that an empty value is none', () => {
  const objectsOf = (written: Schema | Reference): Schema[] => {
    const schema = at(written)
    if (schema.oneOf) return schema.oneOf.flatMap(objectsOf)
    return schema.properties ? [schema, ...Object.values(schema.properties).flatMap(objectsOf)] : []
  }
  const objects = ours.flatMap(({ requestBody }) => (requestBody ? objectsOf(jsonOf(requestBody)!.schema) : []))
  expect(objects.length).toBeGreaterThanOrEqual(6)
  expect(
    objects
      .filter(
        (object) => object['x-empty-is-absent'] !== true || !/empty text or `null`/.test(object.description ?? ''),
      )
      .map(({ title }) => title),
  ).toEqual([])
  const parameters = ours
    .flatMap((each) => each.parameters)
    .filter((parameter) => parameter.in === 'query' && !parameter.required)
  expect(
    parameters.map((parameter) => [
      parameter.name,
      parameter['x-empty-is-absent'],
      /when it is empty/.test(parameter.description),
    ]),
  ).toEqual([['currency', true, true]])
})
