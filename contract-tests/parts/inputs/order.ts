import { without } from '../../harness/json.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import type { ExpectedReply } from '../../driver/payment-driver.ts'
import { postRequest } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { KINDS, operationOf, type Kind } from './input-requests.ts'
import { inTurns } from './texts.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

const SOURCE = 'docs, page "Errors", The order of checks'
const LARGER = 70_000

/** One fault of a request, and the reply that it causes alone. */
interface Fault {
  readonly name: string
  readonly expected: ExpectedReply
  /** Changes the fields of the body. */
  readonly field?: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** Changes the serialized body. */
  readonly text?: (body: string) => string
  readonly request?: (request: WireRequest) => WireRequest
}

const withHeader = (request: WireRequest, name: string, value: string): WireRequest => ({
  ...request,
  headers: { ...request.headers, [name]: [value] },
})

/** In the order of the checks. */
const FAULTS: readonly Fault[] = [
  {
    name: 'a path that is not there',
    expected: { status: 404, message: /^There is nothing at / },
    request: (request) => ({ ...request, path: `${request.path}s` }),
  },
  {
    name: 'another method',
    expected: { status: 405, message: 'PUT is not allowed here: use POST' },
    request: (request) => ({ ...request, method: 'PUT' }),
  },
  {
    name: 'a wrong public-key',
    expected: { status: 401, message: refusal('keys_wrong') },
    request: (request) => withHeader(request, 'public-key', 'pub_of_nobody'),
  },
  {
    name: 'another version',
    expected: { status: 400, message: refusal('api_version_unsupported') },
    request: (request) => withHeader(request, 'x-api-version', '2'),
  },
  {
    name: 'another media type',
    expected: { status: 415, message: refusal('content_type_wrong') },
    request: (request) => withHeader(request, 'content-type', 'text/plain'),
  },
  {
    name: 'a body that is too large',
    expected: { status: 413, message: refusal('body_too_large') },
    text: (body) => body + ' '.repeat(LARGER),
  },
  {
    name: 'a body that is no JSON',
    expected: { status: 400, message: refusal('json_malformed') },
    text: (body) => body.replace(/\}\s*$/, ',}'),
  },
  {
    name: 'a field that is missing',
    expected: { status: 400, message: 'description is required' },
    field: (body) => without(body, 'description'),
  },
  {
    name: 'a field that is wrong',
    expected: { status: 400, message: 'currency must be a 3-letter ISO 4217 code' },
    field: (body) => ({ ...body, currency: 'ugx' }),
  },
  {
    name: 'a field that is not declared',
    expected: { status: 400, message: 'merchant_id is not allowed' },
    field: (body) => ({ ...body, merchant_id: 7 }),
  },
  {
    name: 'an unknown provider',
    expected: { status: 400, message: refusal('provider_unknown') },
    field: (body) => ({ ...body, provider_code: 'mtn_xx' }),
  },
]
/** A reference that was used: the last check of all. */
const USED = 'a reference that was used'

/** Of two faults in one request the earlier check's is reported. */
export async function order(fixture: DriverFixture): Promise<void> {
  const kinds = ['a collection', 'a payout'] as const
  const pairs = FAULTS.flatMap((first, index) => FAULTS.slice(index + 1).map((second) => [first, second] as const))
  await inTurns(
    pairs.map(([first, second], index) => [kinds[index % 2] ?? 'a payout', first, second] as const),
    ([kind, first, second]) => both(fixture, kind, first, second),
  )
  for (const kind of kinds) await usedReference(fixture, kind)
  for (const kind of kinds) await withoutKeys(fixture, kind)
}

async function both(fixture: DriverFixture, kind: Kind, first: Fault, second: Fault): Promise<void> {
  const driver = fixture.driver(`${first.name} and ${second.name}`)
  const reply = await driver.send(spoilt(fixture, kind, KINDS[kind](driver), [first, second]))
  const rule = `order of checks: ${first.name}`
  driver.expect(operationOf(kind), reply, first.expected, rule, `${SOURCE}: before ${second.name}`)
}

/** A used reference is checked last: the final request has that fault alone. */
async function usedReference(fixture: DriverFixture, kind: Kind): Promise<void> {
  const driver = fixture.driver(USED)
  const body = KINDS[kind](driver)
  const operation = operationOf(kind)
  await driver.post(operation, body)
  for (const fault of FAULTS.slice(2)) {
    const reply = await driver.send(spoilt(fixture, kind, body, [fault]))
    driver.expect(operation, reply, fault.expected, `order of checks: ${fault.name}`, `${SOURCE}: before ${USED}`)
  }
  const used = {
    status: 409,
    message: refusal('merchant_reference_used', { 'ORDER-2026-0001': String(body.merchant_reference) }),
  }
  driver.expect(operation, await driver.post(operation, body), used, USED, SOURCE)
}

/** A wrong path or method is reported before the keys are checked. */
async function withoutKeys(fixture: DriverFixture, kind: Kind): Promise<void> {
  for (const fault of FAULTS.slice(0, 2)) {
    const driver = fixture.driver(`${fault.name}, without keys`)
    const { headers, ...request } = spoilt(fixture, kind, KINDS[kind](driver), [fault])
    const reply = await driver.send({ ...request, headers: without(without(headers, 'public-key'), 'secret-key') })
    driver.expect(
      operationOf(kind),
      reply,
      fault.expected,
      `order of checks: ${fault.name}`,
      `${SOURCE}: before the keys`,
    )
  }
}

function spoilt(
  { target }: DriverFixture,
  kind: Kind,
  whole: Readonly<Record<string, unknown>>,
  faults: readonly Fault[],
): WireRequest {
  const fields = faults.reduce((body, { field }) => field?.(body) ?? body, whole)
  // A fault at the end of the text is applied before one that makes it longer.
  const text = faults.toReversed().reduce((body, { text: spoil }) => spoil?.(body) ?? body, JSON.stringify(fields))
  const request = postRequest(target, operationOf(kind), text)
  return faults.reduce((requested, { request: spoil }) => spoil?.(requested) ?? requested, request)
}
