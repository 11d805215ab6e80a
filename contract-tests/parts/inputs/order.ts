import { without } from '../../harness/json.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import type { ExpectedReply } from '../limits/act.ts'
import { postRequest } from '../limits/requests.ts'
import type { LimitsFixture } from '../limits/scene.ts'
import { KINDS, operationOf, type Kind } from './asked.ts'
import { inTurns } from './texts.ts'

const SOURCE = 'docs, page "Errors", The order of checks'
const LARGER = 70_000

/** One thing that is wrong with a request, and what it is told by itself. */
interface Fault {
  readonly name: string
  readonly expected: ExpectedReply
  /** Changes the fields of the body. */
  readonly field?: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** Changes the body as it is sent. */
  readonly text?: (body: string) => string
  readonly request?: (request: WireRequest) => WireRequest
}

const withHeader = (request: WireRequest, name: string, value: string): WireRequest => ({
  ...request,
  headers: { ...request.headers, [name]: [value] },
})

/** In the order in which they are looked for. */
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
    expected: { status: 401, message: 'The public-key or secret-key is not valid' },
    request: (request) => withHeader(request, 'public-key', 'pub_of_nobody'),
  },
  {
    name: 'another version',
    expected: { status: 400, message: 'x-api-version (2) is not supported' },
    request: (request) => withHeader(request, 'x-api-version', '2'),
  },
  {
    name: 'another media type',
    expected: { status: 415, message: 'Content-Type must be application/json' },
    request: (request) => withHeader(request, 'content-type', 'text/plain'),
  },
  {
    name: 'a body that is too large',
    expected: { status: 413, message: 'The request body is larger than 65536 bytes' },
    text: (body) => body + ' '.repeat(LARGER),
  },
  {
    name: 'a body that is no JSON',
    expected: { status: 400, message: 'The request body is not valid JSON' },
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
    name: 'a provider that nobody is',
    expected: { status: 400, message: 'Invalid provider code (mtn_xx)' },
    field: (body) => ({ ...body, provider_code: 'mtn_xx' }),
  },
]
/** A reference that was used: the last of all rules. */
const USED = 'a reference that was used'

/** Of two faults in one request the decided one is told. */
export async function order(scene: LimitsFixture): Promise<void> {
  const kinds = ['a collection', 'a payout'] as const
  const pairs = FAULTS.flatMap((first, index) => FAULTS.slice(index + 1).map((second) => [first, second] as const))
  await inTurns(
    pairs.map(([first, second], index) => [kinds[index % 2] ?? 'a payout', first, second] as const),
    ([kind, first, second]) => both(scene, kind, first, second),
  )
  for (const kind of kinds) await usedReference(scene, kind)
  for (const kind of kinds) await withoutKeys(scene, kind)
}

async function both(scene: LimitsFixture, kind: Kind, first: Fault, second: Fault): Promise<void> {
  const act = scene.act(`${first.name} and ${second.name}`)
  const reply = await act.send(spoilt(scene, kind, KINDS[kind](act), [first, second]))
  const rule = `order of checks: ${first.name}`
  act.expect(operationOf(kind), reply, first.expected, rule, `${SOURCE}: before ${second.name}`)
}

/** A reference is looked at after all other rules: the last request has that fault alone. */
async function usedReference(scene: LimitsFixture, kind: Kind): Promise<void> {
  const act = scene.act(USED)
  const body = KINDS[kind](act)
  const operation = operationOf(kind)
  await act.post(operation, body)
  for (const fault of FAULTS.slice(2)) {
    const reply = await act.send(spoilt(scene, kind, body, [fault]))
    act.expect(operation, reply, fault.expected, `order of checks: ${fault.name}`, `${SOURCE}: before ${USED}`)
  }
  const used = { status: 409, message: `merchant_reference (${String(body.merchant_reference)}) has already been used` }
  act.expect(operation, await act.post(operation, body), used, USED, SOURCE)
}

/** Who asks at a wrong address need not say who they are to hear of it. */
async function withoutKeys(scene: LimitsFixture, kind: Kind): Promise<void> {
  for (const fault of FAULTS.slice(0, 2)) {
    const act = scene.act(`${fault.name}, without keys`)
    const { headers, ...request } = spoilt(scene, kind, KINDS[kind](act), [fault])
    const reply = await act.send({ ...request, headers: without(without(headers, 'public-key'), 'secret-key') })
    act.expect(operationOf(kind), reply, fault.expected, `order of checks: ${fault.name}`, `${SOURCE}: before the keys`)
  }
}

function spoilt(
  { target }: LimitsFixture,
  kind: Kind,
  whole: Readonly<Record<string, unknown>>,
  faults: readonly Fault[],
): WireRequest {
  const fields = faults.reduce((body, { field }) => field?.(body) ?? body, whole)
  // What spoils the end of the text comes before what makes it longer.
  const text = faults.toReversed().reduce((body, { text: spoil }) => spoil?.(body) ?? body, JSON.stringify(fields))
  const request = postRequest(target, operationOf(kind), text)
  return faults.reduce((requested, { request: spoil }) => spoil?.(requested) ?? requested, request)
}
