import type { Fields } from '../../harness/json.ts'
import { without } from '../../harness/json.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import { postRequest, withHeader } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { KINDS, operationOf, type Kind } from './input-requests.ts'

const SOURCE = 'docs, page "Errors", The order of checks'
const LARGER = 70_000

/** One fault of a request, and the status that it causes alone; the rule "messages" knows its words. */
interface Fault {
  readonly name: string
  readonly status: number
  /** Changes the fields of the body. */
  readonly field?: (body: Fields) => Fields
  /** Changes the serialized body. */
  readonly text?: (body: string) => string
  readonly request?: (request: WireRequest) => WireRequest
}
type Spoil = Pick<Fault, 'field' | 'text' | 'request'>
const header = (name: string, value: string): Spoil => ({ request: (request) => withHeader(request, name, value) })
const field = (changes: Fields): Spoil => ({ field: (body) => ({ ...body, ...changes }) })

/** In the order of the checks. */
const CHECKED: readonly (readonly [name: string, status: number, spoil: Spoil])[] = [
  ['a path that is not there', 404, { request: (request) => ({ ...request, path: `${request.path}s` }) }],
  ['another method', 405, { request: (request) => ({ ...request, method: 'PUT' }) }],
  ['a wrong public-key', 401, header('public-key', 'pub_of_nobody')],
  ['another version', 400, header('x-api-version', '2')],
  ['another media type', 415, header('content-type', 'text/plain')],
  ['a body that is too large', 413, { text: (body) => body + ' '.repeat(LARGER) }],
  ['a body that is no JSON', 400, { text: (body) => body.replace(/\}\s*$/, ',}') }],
  ['a field that is missing', 400, { field: (body) => without(body, 'description') }],
  ['a field that is wrong', 400, field({ currency: 'ugx' })],
  ['a field that is not declared', 400, field({ merchant_id: 7 })],
  ['an unknown provider', 400, field({ provider_code: 'mtn_xx' })],
]
const FAULTS = CHECKED.map(([name, status, spoil]): Fault => ({ name, status, ...spoil }))
/** A reference that was used: the last check of all. */
const USED = 'a reference that was used'

/** Of two faults in one request the earlier check's is reported. */
export async function order(fixture: DriverFixture): Promise<void> {
  const kinds = ['a collection', 'a payout'] as const
  const pairs = FAULTS.flatMap((first, index) => FAULTS.slice(index + 1).map((second) => [first, second] as const))
  await forEachOf(
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
  driver.expect(operationOf(kind), reply, first, rule, `${SOURCE}: before ${second.name}`)
}

/** A used reference is checked last: the final request has that fault alone. */
async function usedReference(fixture: DriverFixture, kind: Kind): Promise<void> {
  const driver = fixture.driver(USED)
  const body = KINDS[kind](driver)
  const operation = operationOf(kind)
  await driver.post(operation, body)
  for (const fault of FAULTS.slice(2)) {
    const reply = await driver.send(spoilt(fixture, kind, body, [fault]))
    driver.expect(operation, reply, fault, `order of checks: ${fault.name}`, `${SOURCE}: before ${USED}`)
  }
  driver.expect(operation, await driver.post(operation, body), 409, USED, SOURCE)
}

/** A wrong path or method is reported before the keys are checked. */
async function withoutKeys(fixture: DriverFixture, kind: Kind): Promise<void> {
  for (const fault of FAULTS.slice(0, 2)) {
    const driver = fixture.driver(`${fault.name}, without keys`)
    const { headers, ...request } = spoilt(fixture, kind, KINDS[kind](driver), [fault])
    const reply = await driver.send({ ...request, headers: without(without(headers, 'public-key'), 'secret-key') })
    driver.expect(operationOf(kind), reply, fault, `order of checks: ${fault.name}`, `${SOURCE}: before the keys`)
  }
}

function spoilt({ target }: DriverFixture, kind: Kind, whole: Fields, faults: readonly Fault[]): WireRequest {
  const fields = faults.reduce((body, { field }) => field?.(body) ?? body, whole)
  // A fault at the end of the text is applied before one that makes it longer.
  const text = faults.toReversed().reduce((body, { text: spoil }) => spoil?.(body) ?? body, JSON.stringify(fields))
  const request = postRequest(target, operationOf(kind), text)
  return faults.reduce((requested, { request: spoil }) => spoil?.(requested) ?? requested, request)
}
