import { operationsOf, type Operation } from '../../../openapi/reading/operations.ts'
import { changed } from '../../../openapi/reading/changed.ts'
import { present } from '../../harness/part.ts'
import { bodyVariants, parameterVariants, type Variant } from './boundaries.ts'
import {
  bankCollection,
  bankPayout,
  BOTH_KEYS,
  JSON_TYPE,
  mobileCollection,
  mobilePayout,
  newReference,
  OTP,
  type MutantFixture,
  verify,
} from './fixture.ts'

/** Every field of every request at its limits, beyond them, and wrong. */
export async function boundaries(fixture: MutantFixture): Promise<void> {
  const { contract } = fixture
  const bodies: Readonly<Record<string, readonly (() => Record<string, unknown>)[]>> = {
    initializeCollection: [mobileCollection, () => bankCollection(fixture.shop)],
    sendFunds: [mobilePayout, bankPayout],
    authorizeCollection: [() => ({ internal_reference: `MLP${'0'.repeat(22)}`, otp: OTP })],
  }
  for (const operation of operationsOf(contract).filter(({ kind }) => kind === 'operation')) {
    for (const variant of parameterVariants(contract, operation))
      await requestVariant(fixture, operation, variant, bodies[operation.id]?.[0]?.())
    // Two branches of one request share fields, which the second one repeats.
    for (const base of bodies[operation.id] ?? [])
      for (const variant of bodyVariants(contract, present(operation.body, 'body').schema, base()))
        await requestVariant(fixture, operation, variant, base())
    for (const request of examplesOf(fixture, operation)) await send(fixture, operation, {}, '', request)
  }
}

/** The contract's own examples with new values: a reference is accepted once, and shops belong to somebody. */
const examplesOf = ({ shop }: MutantFixture, { body }: Operation): Record<string, unknown>[] =>
  (body?.examples ?? []).map((example) => {
    const value = Object(example.value) as Readonly<Record<string, unknown>>
    return {
      ...value,
      ...('merchant_reference' in value &&
        value.merchant_reference !== 'auto' && { merchant_reference: newReference() }),
      ...('redirect_url' in value && { redirect_url: shop }),
    }
  })

async function requestVariant(
  fixture: MutantFixture,
  operation: Operation,
  { in: place, name, value }: Variant,
  base: Record<string, unknown> | undefined,
): Promise<void> {
  const body = base && (place === 'body' ? changed(base, name.split('.'), value) : base)
  const query = new URLSearchParams()
  const headers: Record<string, string | undefined> = {}
  let { path } = operation
  for (const parameter of operation.parameters) {
    const varied = parameter.in === place && parameter.name === name
    const usual = parameter.required ? parameter.example : undefined
    const given = varied ? value : usual
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(String(given)))
    else if (parameter.in === 'query') for (const text of textsOf(given)) query.append(parameter.name, text)
    else if (varied || given !== undefined) headers[parameter.name.toLowerCase()] = textsOf(given)[0]
  }
  await send(fixture, { ...operation, path }, headers, query.size > 0 ? `?${query.toString()}` : '', body)
}

/** A list is a repeated parameter; undefined is none. */
function textsOf(given: unknown): string[] {
  if (given === undefined) return []
  return (Array.isArray(given) ? given : [given]).map(String)
}

async function send(
  { recorder }: MutantFixture,
  { id, method, path }: Operation,
  more: Readonly<Record<string, string | undefined>>,
  search: string,
  body: unknown,
): Promise<void> {
  const headers = { ...BOTH_KEYS, ...(body !== undefined && JSON_TYPE), ...more }
  const { status, data } = await recorder.send(id, { method, path: path + search, headers, body })
  if (status === 202) await verify({ recorder }, data.merchant_reference)
}
